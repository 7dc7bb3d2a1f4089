import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { ageText, useNow } from './age.ts'

const hourMs = 3_600_000

function Age({ time }: { time: number }) {
  return ageText(new Date(time).toISOString(), useNow())
}

test('an age is right when it is the first one that is shown after a while', ({ mock }) => {
  const later = Date.now() + hourMs
  mock.timers.enable({ apis: ['Date'], now: later })
  assert.equal(renderToStaticMarkup(createElement(Age, { time: later })), 'now')
  assert.equal(renderToStaticMarkup(createElement(Age, { time: later - 2 * hourMs })), '2 hr. ago')
})
