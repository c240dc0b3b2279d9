"""A Spark Connect server of our own in this process, on a free port: PySpark's own choice is 15002, which another may have."""

from __future__ import annotations

from typing import Any

from tests.spark.standalone import free_port


def over_connect(builder: Any, master: str) -> Any:
    """A builder of sessions over a server with that master, and over no other one in this process from now on."""
    from pyspark.sql.connect.client.core import DefaultChannelBuilder

    builder = builder.remote(master)
    if not master.startswith("local"):
        return builder
    port = free_port()
    DefaultChannelBuilder.default_port = staticmethod(lambda: port)  # type: ignore[method-assign]
    return builder.config("spark.connect.grpc.binding.port", str(port))
