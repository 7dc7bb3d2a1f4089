// Own process: others that keep the compiled program would share it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { setImmediate, setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { until } from '@wadi/testing/until.ts'
import { openKustomizeWorkers } from '../kustomize/kustomize-workers.ts'
import { TemplateWorkers } from './template-workers.ts'
import { ThreadRoom } from '../threads/thread-room.ts'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'

const objects = '{"Values":{"a":{"b":1}}}'

/** One call of a function that takes long each time, which the engine's own bounds of time cannot interrupt. */
const bomb = '{{ $text := repeat 60000 "a: " }}{{ range 1000 }}{{ $x := fromYaml $text }}{{ end }}'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('threads render and inspect as the engine does', async () => {
  await using workers = new TemplateWorkers({ threads: 2 })
  const rendered = ['{{ .Values.a.b }}', 'x', '{{ add 1 2 }}'].map((text) =>
    workers.renderPackage({ name: 'm', text, objects }),
  )
  assert.deepEqual(await Promise.all(rendered), ['1', 'x', '3'])
  assert.deepEqual(await workers.inspectPackage('m', '{{ .Values.a }}'), {
    fields: [{ path: ['Values', 'a'], line: 1, column: 4 }],
    functions: [],
    undefined: [],
  })
  await assert.rejects(workers.renderPackage({ name: 'm', text: '\n{{ .Values.c }}', objects }), {
    name: 'InvalidInputError',
    message: 'template: m:2:10: executing "m" at <.Values.c>: map has no entry for key "c"',
  })
})

test('a thread without work ends with the compiled program, and the next template starts another', async (t) => {
  const compile = t.mock.method(WebAssembly, 'compile')
  await using workers = new TemplateWorkers({ threads: 1, idleMilliseconds: 1 })
  const render = () => workers.renderPackage({ name: 'm', text: '{{ .Values.a.b }}', objects })
  assert.equal(await render(), '1')
  const compiled = compile.mock.callCount()
  let pause = 1
  await until(async () => {
    await delay((pause *= 2))
    // The program is kept by a weak reference, for others of the process that still use it, such as a thread that ends.
    collectGarbage()
    assert.equal(await render(), '1')
    return compile.mock.callCount() > compiled
  })
})

test('a thread without work ends sooner when another pool has threads, and another one starts from the compiled program', async (t) => {
  const compile = t.mock.method(WebAssembly, 'compile')
  await using workers = new TemplateWorkers({ threads: 1, crowdedIdleMilliseconds: 1 })
  await using others = openKustomizeWorkers('5.7.1', { threads: 1 })
  const threads = () => readdir('/proc/self/task')
  const render = () => workers.renderPackage({ name: 'm', text: '{{ .Values.a.b }}', objects })
  const before = await threads()
  assert.equal(await render(), '1')
  await others.run({ path: '', files: new Map([['kustomization.yaml', Buffer.from('buildMetadata: []\n')]]) })
  await until(async () => (await threads()).length <= before.length + 1)
  const compiled = compile.mock.callCount()
  collectGarbage()
  assert.equal(await render(), '1')
  assert.equal(compile.mock.callCount(), compiled)
})

test('the event loop turns while a thread is busy, which is ended at its time and replaced', async () => {
  await using workers = new TemplateWorkers({ threads: 1 })
  const spent: number[] = []
  // Sooner than code that an earlier test made fast runs out of memory.
  const timeoutMilliseconds = 200
  const call = { timeoutMilliseconds, spent: (milliseconds: number) => spent.push(milliseconds) }
  let turns = 0
  const busy = new Set([bomb])
  const slow = workers.renderPackage({ name: 'bomb.yaml', text: bomb, objects }, call)
  const next = workers.renderPackage({ name: 'm', text: '{{ .Values.a.b }}', objects })
  const refused = assert
    .rejects(slow, {
      name: 'ResourceExhaustedError',
      message: 'template: bomb.yaml:1: takes more than 0.2 s: make it simpler',
    })
    .finally(() => busy.clear())
  while (busy.size > 0) {
    await setImmediate()
    turns++
  }
  await refused
  assert.ok(turns > 100, `${turns} turns`)
  assert.ok((spent[0] ?? 0) >= 199, `${spent.join()} ms`)
  assert.equal(await next, '1')
})

test('a thread whose engine runs out of memory is replaced', async () => {
  // The default time would end the thread first where the machine is slow.
  await using workers = new TemplateWorkers({ threads: 1, timeoutMilliseconds: 50_000 })
  const text = '{{ fromYaml (repeat 60000 "a: ") | len }}'
  const spent: number[] = []
  const call = { spent: (milliseconds: number) => spent.push(milliseconds) }
  const deep = workers.renderPackage({ name: 'deep.yaml', text, objects }, call)
  const next = workers.renderPackage({ name: 'm', text: '{{ .Values.a.b }}', objects })
  await assert.rejects(deep, {
    name: 'ResourceExhaustedError',
    message: 'template: deep.yaml:1: needs more than 512 MiB: make it simpler',
  })
  assert.equal(await next, '1')
  assert.equal(spent.length, 1)
})

test('a signal ends the template that a thread works on and one that waits', async () => {
  await using workers = new TemplateWorkers({ threads: 1 })
  const controllers = [new AbortController(), new AbortController()] as const
  const [first, second] = controllers.map(({ signal }) =>
    workers.renderPackage({ name: 'm', text: bomb, objects }, { signal }),
  )
  const third = workers.renderPackage({ name: 'm', text: 'third', objects })
  controllers[1].abort(new Error('the second is not wanted'))
  await assert.rejects(async () => second, { message: 'the second is not wanted' })
  controllers[0].abort(new Error('the first is not wanted'))
  await assert.rejects(async () => first, { message: 'the first is not wanted' })
  assert.equal(await third, 'third')
  const { signal } = controllers[0]
  await assert.rejects(workers.inspectPackage('m', 'x', { signal }), { message: 'the first is not wanted' })
})

test('closed threads refuse what waits, what runs and what comes', async () => {
  const workers = new TemplateWorkers({ threads: 1 })
  const refused = ['one', 'two'].map((text) =>
    assert.rejects(workers.renderPackage({ name: 'm', text, objects }), { name: 'UnavailableError' }),
  )
  await workers[Symbol.asyncDispose]()
  await Promise.all(refused)
  await assert.rejects(workers.inspectPackage('m', 'x'), { name: 'UnavailableError' })
})

test('a process with idle threads ends', async () => {
  const url = new URL('template-workers.ts', import.meta.url)
  const program = `
    const { templateWorkers } = await import('${url.href}')
    console.log(await templateWorkers().renderPackage({ name: 'm', text: '{{ add 1 2 }}', objects: '{}' }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    timeout: hangLimitMs,
  })
  assert.equal(stdout, '3\n')
})

test('a second thread starts only while a processor is free, and the first one of each pool at once', async () => {
  const room = new ThreadRoom(1)
  await using workers = new TemplateWorkers({ threads: 2, room })
  await using others = new TemplateWorkers({ threads: 2, room })
  const busy = new AbortController()
  const ends: string[] = []
  const endOf = async (name: string, work: Promise<string>): Promise<void> => {
    await work.catch(() => undefined)
    ends.push(name)
  }
  const call = { signal: busy.signal }
  await Promise.all([
    endOf('long', workers.renderPackage({ name: 'm', text: bomb, objects }, call)),
    endOf('second', workers.renderPackage({ name: 'm', text: 'x', objects })),
    endOf('other', others.renderPackage({ name: 'm', text: 'x', objects })).then(() => busy.abort()),
  ])
  assert.deepEqual(ends, ['other', 'long', 'second'])
})
