"""An agent of its own process, whose client of the Model Context Protocol speaks the revisions without a session.

Called with a mode and the command of the server; reads a list of calls, [tool, arguments], from standard input, and writes
the revision, the names of the tools, and the result of each call.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters, stdio_client


async def main(mode, command, *arguments):
    server = StdioServerParameters(command=command, args=arguments)
    async with Client(stdio_client(server), mode=mode) as client:
        tools = (await client.list_tools()).tools
        results = []
        for name, given in json.load(sys.stdin):
            result = await client.call_tool(name, given)
            results.append([bool(result.is_error), result.content[0].text, result.structured_content])
        json.dump([client.protocol_version, [tool.name for tool in tools], results], sys.stdout)


asyncio.run(main(*sys.argv[1:]))
