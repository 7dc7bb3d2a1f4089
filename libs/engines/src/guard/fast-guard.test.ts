import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { FastGuard } from './fast-guard.ts'
import { type FastReports, type TwoWays, UnsupportedFastWay } from './two-ways.ts'

/** A guard, what it reported, and renders of one program whose ways give what the test sets. */
const addTool = (): Disposable => ({ [Symbol.dispose]: () => undefined })

function openBed(options: ConstructorParameters<typeof FastGuard>[1] = {}) {
  const outcomes: Parameters<FastReports['rendered']>[1][] = []
  const warnings: string[] = []
  const runs = { fast: 0, tool: 0 }
  const guard = new FastGuard(
    {
      rendered: (_, outcome) => outcomes.push(outcome),
      distrusted: (renderer, message) => warnings.push(`${renderer}: ${message}`),
    },
    { maxTools: 1, ...options },
  )
  const way = async (name: keyof typeof runs, result: string | Error): Promise<string> => {
    runs[name] += 1
    if (result instanceof Error) throw result
    return result
  }
  const render = async (
    fast: string | Error,
    tool: string | Error = 'a\nb',
    given: Partial<TwoWays<string>> = {},
  ) => {
    const ways = {
      renderer: 'helm',
      name: 'chart "web"',
      digest: 'web',
      isStrict: false,
      prepare: async () => () => way('fast', fast),
      tool: () => way('tool', tool),
      comparable: (text: string) => text,
      signal: undefined,
      ...given,
    }
    try {
      return await guard.render(ways)
    } finally {
      await guard.settled()
    }
  }
  return { guard, render, outcomes, warnings, runs }
}

test('a program whose first results are equal is rendered fast, and every n-th render is compared', async () => {
  const { render, outcomes, runs, warnings } = openBed({ compareEvery: 3 })
  for (let n = 0; n < 8; n++) assert.equal(await render('a\nb'), 'a\nb')
  assert.deepEqual(outcomes, ['equal', 'fast', 'fast', 'equal', 'fast', 'fast', 'equal', 'fast'])
  assert.deepEqual(runs, { fast: 8, tool: 3 })
  assert.deepEqual(warnings, [])
})

test('a difference leaves the program to the tool, with one warning that shows nothing of the results', async () => {
  const { render, outcomes, warnings, runs } = openBed()
  assert.equal(await render('a\nc'), 'a\nb')
  assert.equal(await render('a\nb'), 'a\nb')
  assert.equal(await render('x', 'y', { digest: 'other' }), 'y')
  assert.deepEqual(outcomes, ['different', 'tool', 'different'])
  assert.deepEqual(runs, { fast: 2, tool: 3 })
  assert.deepEqual(warnings, [
    'helm: chart "web" is left to the tool: the fast way gives another result from line 2 on',
    'helm: chart "web" is left to the tool: the fast way gives another result from line 1 on',
  ])
})

test('a difference in a later comparison ends the trust', async () => {
  const { render, outcomes, warnings } = openBed({ compareEvery: 2 })
  await render('a\nb')
  await render('a\nb')
  assert.equal(await render('a\nb\nc'), 'a\nb')
  await render('a\nb')
  assert.deepEqual(outcomes, ['equal', 'fast', 'different', 'tool'])
  assert.match(warnings.join(), /from line 3 on/)
})

test('the tool decides of an error of the fast way, and the program is left to it if it has none', async () => {
  const { render, outcomes, warnings, runs } = openBed()
  await render('a\nb')
  await assert.rejects(render(new Error('wasm'), new InvalidInputError('values: replicas is missing')), {
    message: 'values: replicas is missing',
  })
  assert.equal(await render('a\nb'), 'a\nb')
  assert.equal(await render(new Error('no such function')), 'a\nb')
  await render('a\nb')
  assert.deepEqual(outcomes, ['equal', 'refused', 'fast', 'failed', 'tool'])
  assert.deepEqual(warnings, [
    'helm: chart "web" is left to the tool: the fast way fails where the tool does not: no such function',
  ])
  assert.deepEqual(runs, { fast: 4, tool: 4 })
})

test('what the fast way does not support leaves the program to the tool', async () => {
  const { render, outcomes, warnings } = openBed()
  const unsupported = async (): Promise<never> => {
    throw new UnsupportedFastWay('does not run the function genCA')
  }
  assert.equal(await render('', 'a', { prepare: unsupported }), 'a')
  assert.deepEqual(outcomes, ['unsupported'])
  assert.match(warnings.join(), /the fast way does not run the function genCA$/)
})

test('a result where the tool has an error ends the trust; errors of both, and of the machine, leave it open', async () => {
  const { render, outcomes } = openBed()
  const wrong = new InvalidInputError('wrong')
  await assert.rejects(render(new Error('wrong'), wrong), wrong)
  await assert.rejects(render('a\nb', new ResourceExhaustedError('too slow')), { message: 'too slow' })
  assert.equal(await render(new UnavailableError('closed')), 'a\nb')
  const caller = new AbortController()
  const { signal } = caller
  const tool = async (): Promise<string> => {
    caller.abort()
    return 'a\nb'
  }
  assert.equal(await render(new Error('aborted'), '', { signal, tool }), 'a\nb')
  assert.equal(await render('a\nb'), 'a\nb')
  await assert.rejects(render('a\nb', wrong, { isStrict: true }), wrong)
  await render('a\nb')
  assert.deepEqual(outcomes, ['refused', 'equal', 'different', 'tool'])
})

test('strict renders are all compared, and others do not wait for a comparison', async () => {
  const { guard, render, outcomes } = openBed()
  await render('a\nb', 'a\nb', { isStrict: true })
  await render('a\nb', 'a\nb', { isStrict: true })
  assert.deepEqual(outcomes, ['equal', 'equal'])
  const { promise: slow, resolve } = Promise.withResolvers<string>()
  const ways = {
    renderer: 'helm',
    name: 'chart "api"',
    digest: 'api',
    isStrict: false,
    prepare: async () => () => slow,
    tool: async () => 'a',
    comparable: (text: string) => text,
    signal: undefined,
  }
  assert.equal(await guard.render(ways), 'a')
  assert.equal(await guard.render(ways), 'a')
  assert.deepEqual(outcomes.splice(0), ['equal', 'equal', 'tool'])
  resolve('a')
  await guard.settled()
  assert.equal(await guard.render(ways), 'a')
  assert.deepEqual(outcomes, ['equal', 'fast'])
})

/** Two-way renders of an engine with one thread, which are held until the test lets their tool go. */
function openHeldTools(isReady: boolean) {
  const held: (() => void)[] = []
  const engine = { isStarted: true, isReady, addTool }
  const ways = {
    engine,
    renderer: 'kustomize',
    isStrict: false,
    prepare: async () => async () => 'a',
    tool: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.push(resolve)
      await promise
      return 'a'
    },
    comparable: (text: string) => text,
    signal: undefined,
  }
  const of = (digest: string, given: Partial<TwoWays<string>> = {}) => ({
    ...ways,
    name: digest,
    digest,
    ...given,
  })
  return { held, of }
}

/** Lets all go on that does not wait for the test. */
async function others(): Promise<void> {
  for (let n = 0; n < 5; n++) await new Promise(setImmediate)
}

test('where an engine is ready, the first render is compared, and others of the program wait for that', async () => {
  const { guard, outcomes } = openBed({ toolFirst: 2 })
  const { held, of } = openHeldTools(true)
  const renders = [guard.render(of('web')), guard.render(of('web')), guard.render(of('web'))]
  await others()
  assert.equal(held.length, 1)
  held[0]?.()
  assert.deepEqual(await Promise.all(renders), ['a', 'a', 'a'])
  await guard.settled()
  assert.deepEqual(outcomes.toSorted(), ['equal', 'fast', 'fast'])
})

test('where one tool may run at a time, one program without trust after the other runs it', async () => {
  for (const isReady of [true, false]) {
    const { guard } = openBed({ toolFirst: 1, maxWaitMilliseconds: 60_000 })
    const { held, of } = openHeldTools(isReady)
    const renders = [guard.render(of('web')), guard.render(of('api'))]
    await others()
    assert.equal(held.length, 1)
    const strict = guard.render(of('strict', { isStrict: true }))
    await others()
    assert.equal(held.length, 2, 'a strict render does not wait')
    held[0]?.()
    await others()
    assert.equal(held.length, 3)
    held.forEach((release) => release())
    await Promise.all([...renders, strict])
    await guard.settled()
  }
})

test('a slow comparison holds up renders of its program and of others for a while only', async () => {
  const { guard, outcomes } = openBed({ maxWaitMilliseconds: 5 })
  const { held, of } = openHeldTools(true)
  const slow = guard.render(of('web'))
  const same = guard.render(of('web'))
  const other = guard.render(of('api'))
  while (held.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  held.forEach((release) => release())
  assert.deepEqual(await Promise.all([slow, same, other]), ['a', 'a', 'a'])
  await guard.settled()
  assert.deepEqual(outcomes.toSorted(), ['equal', 'equal', 'tool'])
})

test('an aborted render waits no longer, and leaves the comparison to another', async () => {
  const { guard, outcomes } = openBed({ maxWaitMilliseconds: 60_000 })
  const { held, of } = openHeldTools(true)
  const caller = new AbortController()
  const slow = guard.render(of('web'))
  const same = guard.render(of('web', { signal: caller.signal }))
  const other = guard.render(of('api', { signal: caller.signal }))
  await others()
  caller.abort(new Error('superseded'))
  await assert.rejects(same, /superseded/)
  await assert.rejects(other)
  held[0]?.()
  await slow
  const again = guard.render(of('api'))
  await others()
  held[1]?.()
  await again
  await guard.settled()
  assert.deepEqual(outcomes, ['equal', 'equal'])
})

test('a comparison that is due waits for a render at which the tool is free, up to twice as long', async () => {
  const { guard, outcomes } = openBed({ compareEvery: 2 })
  const { held, of } = openHeldTools(true)
  const first = guard.render(of('web'))
  await others()
  held[0]?.()
  await first
  await guard.settled()
  const slow = guard.render(of('api'))
  await others()
  for (let n = 0; n < 3; n++) await guard.render(of('web'))
  const due = guard.render(of('web'))
  await others()
  held[1]?.()
  await slow
  await others()
  held[2]?.()
  await due
  await guard.settled()
  assert.deepEqual(outcomes, ['equal', 'fast', 'fast', 'fast', 'equal', 'equal'])
  // The one that was put off is made up for.
  const free = guard.render(of('web'))
  await others()
  held[3]?.()
  await free
  await guard.settled()
  assert.deepEqual(outcomes.slice(6), ['equal'])
})

test('an engine is not started for a few renders, unless every render is to be compared', async (t) => {
  const { render, outcomes, runs } = openBed({ toolFirst: 2 })
  const engine = { isStarted: false, isReady: false, addTool }
  for (let n = 0; n < 4; n++) await render('a\nb', 'a\nb', { engine })
  assert.deepEqual(outcomes.splice(0), ['tool', 'tool', 'equal', 'fast'])
  assert.deepEqual(runs, { fast: 2, tool: 3 })
  const later = performance.now() + 60_000
  t.mock.method(performance, 'now', () => later)
  const other = { ...engine }
  await render('a\nb', 'a\nb', { engine: other })
  await render('a\nb', 'a\nb', { engine: other, digest: 'other', isStrict: true })
  assert.deepEqual(outcomes.splice(0), ['tool', 'equal'], 'what is trusted does not start another one either')
  other.isStarted = true
  await render('a\nb', 'a\nb', { engine: other })
  assert.deepEqual(outcomes, ['fast'])
})
