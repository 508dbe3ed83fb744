"""A list of items on Litestar."""

from typing import Annotated

import msgspec
from litestar import Litestar, delete, get, post, put
from litestar.exceptions import NotFoundException


class ItemIn(msgspec.Struct):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
    size: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0


class Item(ItemIn, kw_only=True):
    id: int


items: dict[int, Item] = {}


def known(item_id: int) -> Item:
    if item_id not in items:
        raise NotFoundException
    return items[item_id]


@get("/items", sync_to_thread=False)
def list_items() -> list[Item]:
    return list(items.values())


@post("/items", sync_to_thread=False)
def create_item(data: ItemIn) -> Item:
    number = max(items, default=0) + 1
    items[number] = Item(id=number, name=data.name, size=data.size)
    return items[number]


@get("/items/{item_id:int}", sync_to_thread=False, raises=[NotFoundException])
def read_item(item_id: int) -> Item:
    return known(item_id)


@put("/items/{item_id:int}", sync_to_thread=False, raises=[NotFoundException])
def change_item(item_id: int, data: ItemIn) -> Item:
    known(item_id)
    items[item_id] = Item(id=item_id, name=data.name, size=data.size)
    return items[item_id]


@delete("/items/{item_id:int}", sync_to_thread=False, raises=[NotFoundException])
def delete_item(item_id: int) -> None:
    del items[known(item_id).id]


app = Litestar([list_items, create_item, read_item, change_item, delete_item])
