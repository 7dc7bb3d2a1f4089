import type { RenderFixture } from './render-fixture.ts'
import { renderPlan } from './render-source.ts'
import type { RenderSource } from '../source/source.ts'
import { openDirectoryTree } from '@wadi/file-trees/directory-tree.ts'
import { FastGuard } from '@wadi/engines/guard/fast-guard.ts'

/** A guard that renders in tests, with what it reported: outcomes in their order, and messages. */
export function guardForTests(fixture: RenderFixture, compareEvery?: number) {
  const outcomes: string[] = []
  const messages: string[] = []
  const guard = new FastGuard(
    {
      rendered: (_renderer, outcome) => outcomes.push(outcome),
      distrusted: (_renderer, message) => messages.push(message),
    },
    compareEvery === undefined ? {} : { compareEvery },
  )
  const render = async (source: RenderSource, isStrict = false) => {
    const inspection = await fixture.inspect(source)
    try {
      const context = { ...fixture.context(source), fast: { guard, isStrict } }
      return await renderPlan(openDirectoryTree(fixture.directory), inspection, context)
    } finally {
      await guard.settled()
    }
  }
  return { guard, render, outcomes, messages }
}
