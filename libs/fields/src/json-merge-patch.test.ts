import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonMergePatch } from './json-merge-patch.ts'

// The examples of RFC 7386, appendix A.
for (const [target, patch, result] of [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const) {
  test(`${patch} over ${target} gives ${result}`, () => {
    assert.equal(JSON.stringify(jsonMergePatch(JSON.parse(target), JSON.parse(patch))), result)
  })
}

test('a key named __proto__ is data', () => {
  const merged = jsonMergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'))
  assert.equal(JSON.stringify(merged), '{"__proto__":{"polluted":true}}')
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})
