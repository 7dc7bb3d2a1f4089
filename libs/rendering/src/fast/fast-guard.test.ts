import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError, ResourceExhaustedError, UnavailableError } from '@wadi/errors/domain-error.ts'
import { FastGuard } from './fast-guard.ts'
import { type FastReports, type TwoWays, UnsupportedFastWay } from './two-ways.ts'

/** A guard, what it reported, and renders of one program whose ways give what the test sets. */
function openBed(options: ConstructorParameters<typeof FastGuard>[1] = {}) {
  const outcomes: Parameters<FastReports['rendered']>[1][] = []
  const warnings: string[] = []
  const runs = { fast: 0, tool: 0 }
  const guard = new FastGuard(
    {
      rendered: (_, outcome) => outcomes.push(outcome),
      distrusted: (renderer, message) => warnings.push(`${renderer}: ${message}`),
    },
    options,
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
  const signal = AbortSignal.abort()
  assert.equal(await render(new Error('aborted'), 'a\nb', { signal }), 'a\nb')
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

test('a program that is rendered rarely is left to the tool, unless every render is to be compared', async () => {
  const { render, outcomes, runs } = openBed({ toolFirst: 2 })
  for (let n = 0; n < 4; n++) await render('a\nb')
  assert.deepEqual(outcomes, ['tool', 'tool', 'equal', 'fast'])
  assert.deepEqual(runs, { fast: 2, tool: 3 })
  await render('a\nb', 'a\nb', { digest: 'other', isStrict: true })
  assert.equal(outcomes.at(-1), 'equal')
})
