import { test } from 'node:test'
import { compareReuse } from './reuse-fixture.ts'

test('a mesh that lives through random edits comes to what a new one comes to', async () => {
  await compareReuse(1, 8)
})
