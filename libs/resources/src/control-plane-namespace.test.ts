import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The namespace of a process with this value of the variable. */
async function namespaceWith(value: string): Promise<string> {
  const url = JSON.stringify(new URL('control-plane-namespace.ts', import.meta.url))
  const program = `import { controlPlaneNamespace } from ${url}; process.stdout.write(controlPlaneNamespace)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: { WADI_NAMESPACE: value },
  })
  return stdout
}

test('objects are in the namespace of Argo CD unless the process names another', async () => {
  assert.deepEqual(await Promise.all(['', 'wadi-system'].map(namespaceWith)), ['argocd', 'wadi-system'])
  await assert.rejects(namespaceWith('Wadi.System'), /WADI_NAMESPACE: "Wadi\.System" must be the name/)
})
