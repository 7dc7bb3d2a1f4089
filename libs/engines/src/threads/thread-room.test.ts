import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '@wadi/testing/until.ts'
import { type ThreadOwner, ThreadRoom } from './thread-room.ts'

/** A pool of which tests say how many threads there are, how many of them are idle, and for how long. */
class Pool implements ThreadOwner {
  state = { threads: 0, idle: 0, idleMilliseconds: 0 }
  wakes = 0
  readonly tool: string

  constructor(tool: string) {
    this.tool = tool
  }

  threads(): number {
    return this.state.threads
  }

  idle(): number {
    return this.state.idle
  }

  idleSince(): number | undefined {
    return this.state.idle === 0 ? undefined : performance.now() - this.state.idleMilliseconds
  }

  endIdle(): void {
    this.state.idle -= 1
    this.state.threads -= 1
  }

  next(): void {
    this.wakes += 1
  }
}

let tools = 0

function newTool(): string {
  tools += 1
  return `tool ${tools}`
}

/** A pool that the room knows. */
function poolIn(room: ThreadRoom, state: Partial<Pool['state']>, tool = newTool()): Pool {
  const pool = new Pool(tool)
  assert.ok(room.take(pool))
  Object.assign(pool.state, state)
  return pool
}

test('each pool may start a first thread, and more while fewer threads work than there is room for', () => {
  const room = new ThreadRoom(2)
  const [first, second] = [poolIn(room, { threads: 1 }), poolIn(room, { threads: 1 })]
  assert.equal(room.take(first), false)
  assert.equal(room.take(new Pool(newTool())), true)
  Object.assign(second.state, { idle: 1, idleMilliseconds: 100 })
  assert.equal(room.take(first), false)
  second.state.idleMilliseconds = 1_000
  assert.equal(room.take(first), true)
})

test('threads that are idle for longest end for a thread that would be too many, others stay', () => {
  const room = new ThreadRoom(3)
  const unused = poolIn(room, { threads: 2, idle: 2, idleMilliseconds: 60_000 })
  const used = poolIn(room, { threads: 1, idle: 1, idleMilliseconds: 100 })
  room.take(new Pool(newTool()))
  assert.deepEqual([unused.idle(), used.idle()], [1, 1])
})

test('pools of further versions of a tool keep a thread each beyond the room', () => {
  const room = new ThreadRoom(2)
  const idle = { threads: 1, idle: 1, idleMilliseconds: 60_000 }
  const first = poolIn(room, idle, 'helm')
  const second = poolIn(room, idle, 'helm')
  const third = poolIn(room, { threads: 1 }, 'kustomize')
  assert.deepEqual([first.threads(), second.threads(), third.threads()], [1, 1, 1])
  using _ = room.addProcess()
  assert.equal(first.threads() + second.threads(), 1)
})

test('the only thread of a version stays for longer than a second one', () => {
  const room = new ThreadRoom(1)
  const first = poolIn(room, { threads: 1, idle: 1, idleMilliseconds: 4_000 }, 'helm')
  const second = poolIn(room, { threads: 2, idle: 1, idleMilliseconds: 1_000 }, 'helm')
  using _ = room.addProcess()
  assert.deepEqual([first.threads(), second.threads()], [1, 1])
})

test('a process of a tool counts as a thread that works until it is over', () => {
  const room = new ThreadRoom(2)
  const pool = poolIn(room, { threads: 2, idle: 1, idleMilliseconds: 60_000 })
  {
    using _ = room.addProcess()
    assert.deepEqual([pool.threads(), pool.idle()], [1, 0])
    assert.equal(room.take(pool), false)
  }
  assert.equal(pool.wakes, 1)
  assert.equal(room.take(pool), true)
})

test('a process of a tool leaves the threads that do its work as well, unless other pools have threads too', () => {
  const room = new ThreadRoom(1)
  const own = poolIn(room, { threads: 1, idle: 1, idleMilliseconds: 60_000 })
  using _ = room.addProcess(own)
  assert.equal(own.threads(), 1)
  poolIn(room, { threads: 1 })
  own.state = { threads: 1, idle: 1, idleMilliseconds: 60_000 }
  room.addProcess(own)
  assert.equal(own.threads(), 0)
})

test('a thread that only just became idle ends a moment later, if it is still too many then', async () => {
  const room = new ThreadRoom(1)
  const pool = poolIn(room, { threads: 1, idle: 1, idleMilliseconds: 480 })
  using _ = room.addProcess()
  assert.equal(pool.threads(), 1)
  pool.state.idleMilliseconds = 500
  await until(() => pool.threads() === 0)
})

test('pools know whether others have threads, and continue when one has become idle', () => {
  const room = new ThreadRoom(2)
  const [first, second] = [poolIn(room, { threads: 1 }), poolIn(room, { threads: 1 })]
  assert.equal(room.isShared(first), true)
  room.freed(first)
  assert.deepEqual([first.wakes, second.wakes], [0, 1])
  second.state.threads = 0
  room.freed(second)
  assert.deepEqual([room.isShared(first), room.isShared(second)], [false, true])
})
