"""A list of items on Django Ninja; writing needs a token."""

from django.conf import settings

settings.configure(ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="none")

import django

django.setup()

from django.core.wsgi import get_wsgi_application
from django.urls import path
from ninja import Field, NinjaAPI, Schema
from ninja.security import HttpBearer


class Token(HttpBearer):
    def authenticate(self, request, token):
        return token if token == "stranger" else None


class ItemIn(Schema):
    name: str = Field(min_length=1, max_length=20)
    size: int = Field(0, ge=0, le=100)


class Item(ItemIn):
    id: int


class Problem(Schema):
    detail: str


api = NinjaAPI()
items: dict[int, Item] = {}


@api.get("/items", response=list[Item])
def list_items(request):
    return list(items.values())


@api.post("/items", response={201: Item, 401: Problem}, auth=Token())
def create_item(request, item: ItemIn):
    number = max(items, default=0) + 1
    items[number] = Item(id=number, **item.dict())
    return 201, items[number]


@api.get("/items/{item_id}", response={200: Item, 404: Problem})
def read_item(request, item_id: int):
    return items.get(item_id) or (404, {"detail": "none"})


@api.post("/items/{item_id}/clear", response={204: None, 404: Problem}, auth=Token())
def clear_item(request, item_id: int):
    items.pop(item_id, None)
    return 204, None


urlpatterns = [path("api/", api.urls)]
app = get_wsgi_application()
