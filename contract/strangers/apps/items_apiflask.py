"""A list of items on APIFlask, with an OpenAPI 3.0 document."""

from apiflask import APIFlask, Schema, abort
from apiflask.fields import Integer, String
from apiflask.validators import Length, Range

app = APIFlask(__name__)
items: dict[int, dict] = {}


class ItemIn(Schema):
    name = String(required=True, validate=Length(0, 20))
    size = Integer(load_default=0, validate=Range(0, 100))


class Item(ItemIn):
    id = Integer()


@app.get("/items")
@app.output(Item(many=True))
def list_items():
    return list(items.values())


@app.post("/items")
@app.input(ItemIn)
@app.output(Item, status_code=201)
def create_item(json_data):
    number = max(items, default=0) + 1
    items[number] = {"id": number, **json_data}
    return items[number]


@app.get("/items/<int:item_id>")
@app.output(Item)
@app.doc(responses=[404])
def read_item(item_id):
    return items.get(item_id) or abort(404)


@app.put("/items/<int:item_id>")
@app.input(ItemIn)
@app.output(Item)
@app.doc(responses=[404])
def change_item(item_id, json_data):
    _ = items.get(item_id) or abort(404)
    items[item_id] = {"id": item_id, **json_data}
    return items[item_id]


@app.delete("/items/<int:item_id>")
@app.output({}, status_code=204)
@app.doc(responses=[404])
def delete_item(item_id):
    _ = items.get(item_id) or abort(404)
    del items[item_id]
