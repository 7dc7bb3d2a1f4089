import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { kindFieldsFile, kindFieldsText } from './kind-fields.ts'

test('what the editors of the console know is what the messages and their comments say', async () => {
  const text = await kindFieldsText(path.dirname(import.meta.dirname))
  assert.equal(await readFile(kindFieldsFile, 'utf8'), text, "run 'node tools/write-kind-fields.ts'")
})
