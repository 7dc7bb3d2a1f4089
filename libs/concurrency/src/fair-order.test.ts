import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairOrder, type Lane } from './fair-order.ts'

const lane = (tenant: string, part = 'a', weight = 1): Lane => ({ tenant, part, weight })

/** Work that waits, and a worker that takes one piece at a time. */
class Waiting {
  readonly #order = new FairOrder()
  readonly #waiting: { name: string; lane: Lane; turn: number }[] = []

  add(name: string, of: Lane): void {
    this.#waiting.push({ name, lane: of, turn: this.#order.enter(of) })
  }

  take(): string {
    const first = this.#waiting.toSorted((one, other) => one.turn - other.turn)[0]
    assert.ok(first)
    this.#waiting.splice(this.#waiting.indexOf(first), 1)
    this.#order.leave(first.lane, first.turn)
    return first.name
  }

  takeAll(count: number): string {
    return Array.from({ length: count }, () => this.take()).join(' ')
  }
}

test('a tenant with little goes before the rest of one with much', () => {
  const waiting = new Waiting()
  for (let n = 0; n < 500; n++) waiting.add('storm', lane('a', `branch of ${n % 7}`))
  waiting.takeAll(20)
  waiting.add('single', lane('b'))
  assert.equal(waiting.take(), 'single')
  waiting.takeAll(5)
  for (const _ of [1, 2, 3]) waiting.add('more', lane('b'))
  assert.equal(waiting.takeAll(5), 'more storm more storm more')
})

test('a tenant that had nothing to do has saved no turns', () => {
  const waiting = new Waiting()
  for (let n = 0; n < 20; n++) waiting.add('a', lane('a'))
  waiting.takeAll(10)
  for (let n = 0; n < 10; n++) waiting.add('b', lane('b'))
  assert.equal(waiting.takeAll(8), 'b a b a b a b a')
})

test('the parts of a tenant take turns, and have together no more than another tenant', () => {
  const waiting = new Waiting()
  for (const part of ['x', 'y', 'z']) for (let n = 0; n < 3; n++) waiting.add(part, lane('a', part))
  for (let n = 0; n < 9; n++) waiting.add('b', lane('b'))
  const taken = waiting.takeAll(12).split(' ')
  const ofB = taken.filter((name) => name === 'b').length
  assert.ok(ofB >= 4 && ofB <= 6, taken.join(' '))
  const ofA = taken.filter((name) => name !== 'b')
  assert.deepEqual(new Set(ofA.slice(0, 5)), new Set(['x', 'y', 'z']))
})

test('a tenant of weight 3 has three turns for one of another', () => {
  const waiting = new Waiting()
  for (let n = 0; n < 12; n++) waiting.add('a', lane('a', 'a', 3))
  for (let n = 0; n < 12; n++) waiting.add('b', lane('b'))
  const taken = waiting.takeAll(12).split(' ')
  assert.equal(taken.filter((name) => name === 'a').length, 9)
})
