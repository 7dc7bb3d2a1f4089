import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolFailure } from './tool-failure.ts'

const warning = "# Warning: 'commonLabels' is deprecated. Please use 'labels' instead."

test('the error of Kustomize is not preceded by its warnings', () => {
  const { message } = toolFailure(
    'kubectl kustomize web',
    `${warning}\n# Warning: 'vars' is deprecated.\nerror: no such file\n`,
    'Correct it.',
  )
  assert.equal(message, 'kubectl kustomize web failed: error: no such file\nCorrect it.')
  assert.match(toolFailure('kubectl kustomize web', warning, '').message, /failed: # Warning: 'commonLabels'/)
})
