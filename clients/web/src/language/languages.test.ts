import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localeOf, offeredLanguage } from './languages.ts'

test('the first preferred language that the console has is offered, and English without one', () => {
  assert.equal(offeredLanguage(['pl', 'fr-CA', 'de']), 'fr')
  assert.equal(offeredLanguage(['zh-CN']), 'zh-Hans')
  assert.equal(offeredLanguage(['zh-TW', 'ja-JP']), 'ja')
  assert.equal(offeredLanguage(['pl', 'not a tag']), 'en')
  assert.equal(offeredLanguage([]), 'en')
})

test('dates have the form of the region that the reader prefers for the language', () => {
  assert.equal(localeOf('en', ['de-AT', 'en-GB', 'en-US']), 'en-GB')
  assert.equal(localeOf('de', ['en-GB']), 'de')
})
