package main

import "container/list"

// cache keeps values by key until those that were used last weigh more than its limit.
type cache[Value any] struct {
	limit  int
	weight int
	order  *list.List
	places map[string]*list.Element
}

type cached[Value any] struct {
	key    string
	value  Value
	weight int
}

func newCache[Value any](limit int) *cache[Value] {
	return &cache[Value]{limit: limit, order: list.New(), places: map[string]*list.Element{}}
}

func (c *cache[Value]) get(key string) (Value, bool) {
	place, isKnown := c.places[key]
	if !isKnown {
		var none Value
		return none, false
	}
	c.order.MoveToFront(place)
	return place.Value.(cached[Value]).value, true
}

func (c *cache[Value]) put(key string, value Value, weight int) {
	if place, isKnown := c.places[key]; isKnown {
		c.drop(place)
	}
	c.places[key] = c.order.PushFront(cached[Value]{key, value, weight})
	c.weight += weight
	for c.weight > c.limit && c.order.Len() > 1 {
		c.drop(c.order.Back())
	}
}

func (c *cache[Value]) drop(place *list.Element) {
	dropped := c.order.Remove(place).(cached[Value])
	delete(c.places, dropped.key)
	c.weight -= dropped.weight
}

// made returns what is kept by the key, or makes and keeps it.
func (c *cache[Value]) made(key string, weight int, make func() (Value, error)) (Value, error) {
	if value, isKnown := c.get(key); isKnown {
		return value, nil
	}
	value, err := make()
	if err == nil {
		c.put(key, value, weight)
	}
	return value, err
}
