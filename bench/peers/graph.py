"""A graph for LangGraph's server: a model, one shell tool, and back to the model."""

import asyncio

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from bench.peers.command import run_command


@tool
async def terminal(command: str) -> str:
    """Runs a shell command."""
    return await asyncio.to_thread(run_command, command)


# Where the model is stands in OPENAI_BASE_URL.
model = ChatOpenAI(model="bench", streaming=True).bind_tools([terminal])


async def ask(state: MessagesState) -> MessagesState:
    return {"messages": [await model.ainvoke(state["messages"])]}


builder = StateGraph(MessagesState)
builder.add_node("model", ask)
builder.add_node("tools", ToolNode([terminal]))
builder.add_edge(START, "model")
builder.add_conditional_edges("model", tools_condition)
builder.add_edge("tools", "model")
graph = builder.compile()
