"""What the options of a source may say. No Spark here: a wrong option is found while the query is bound."""
