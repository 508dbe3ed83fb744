package main

import (
	"context"
	"fmt"
	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"net/http"
	"os"
	"sync"
)

type In struct {
	Name string `json:"name" minLength:"1" maxLength:"20"`
	Size int64  `json:"size" minimum:"0" maximum:"9223372036854775807"`
	Kind string `json:"kind,omitempty" enum:"alpha,beta"`
}
type Item struct {
	ID int64 `json:"id"`
	In
}
type Out struct{ Body Item }
type List struct{ Body []Item }
type ByID struct {
	ID int64 `path:"id"`
}

func main() {
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("Items", "1.0.0"))
	var m sync.Mutex
	db := map[int64]Item{}
	var n int64
	huma.Register(api, huma.Operation{OperationID: "list-items", Method: "GET", Path: "/items"}, func(c context.Context, i *struct {
		Limit int `query:"limit" minimum:"1" maximum:"50" default:"10"`
	}) (*List, error) { m.Lock(); defer m.Unlock(); o := &List{Body: []Item{}}; for _, v := range db {
		if len(o.Body) < i.Limit {
			o.Body = append(o.Body, v)
		}
	}; return o, nil })
	huma.Register(api, huma.Operation{OperationID: "create-item", Method: "POST", Path: "/items", DefaultStatus: 201}, func(c context.Context, i *struct{ Body In }) (*Out, error) {
		m.Lock()
		defer m.Unlock()
		n++
		db[n] = Item{n, i.Body}
		return &Out{db[n]}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "get-item", Method: "GET", Path: "/items/{id}"}, func(c context.Context, i *ByID) (*Out, error) {
		m.Lock()
		defer m.Unlock()
		v, ok := db[i.ID]
		if !ok {
			return nil, huma.Error404NotFound("no")
		}
		return &Out{v}, nil
	})
	huma.Register(api, huma.Operation{OperationID: "put-item", Method: "PUT", Path: "/items/{id}"}, func(c context.Context, i *struct {
		ByID
		Body In
	}) (*Out, error) { m.Lock(); defer m.Unlock(); if _, ok := db[i.ID]; !ok {
		return nil, huma.Error404NotFound("no")
	}; db[i.ID] = Item{i.ID, i.Body}; return &Out{db[i.ID]}, nil })
	huma.Register(api, huma.Operation{OperationID: "delete-item", Method: "DELETE", Path: "/items/{id}"}, func(c context.Context, i *ByID) (*struct{}, error) {
		m.Lock()
		defer m.Unlock()
		fmt.Println("DELETE", i.ID)
		delete(db, i.ID)
		return nil, nil
	})
	http.ListenAndServe("127.0.0.1:"+os.Args[1], mux)
}
