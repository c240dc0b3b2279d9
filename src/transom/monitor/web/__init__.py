"""The console as a web page: the server, who may use it, and the assets of the page."""
