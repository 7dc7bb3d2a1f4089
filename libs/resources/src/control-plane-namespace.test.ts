import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The namespaces of a process with these values of the variables. */
async function namespacesWith(own: string, credentials = ''): Promise<string> {
  const url = JSON.stringify(new URL('control-plane-namespace.ts', import.meta.url))
  const program = `import { controlPlaneNamespace, credentialsNamespace } from ${url}; process.stdout.write(controlPlaneNamespace + ' ' + credentialsNamespace)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: { WADI_NAMESPACE: own, WADI_CREDENTIALS_NAMESPACE: credentials },
  })
  return stdout
}

test('objects are in the namespace of Argo CD unless the process names another', async () => {
  assert.equal(await namespacesWith(''), 'argocd argocd')
  assert.equal(await namespacesWith('wadi-system'), 'wadi-system wadi-system')
  await assert.rejects(namespacesWith('Wadi.System'), /WADI_NAMESPACE: "Wadi\.System" must be the name/)
})

test('the Secrets that services share are beside them unless the process names another namespace', async () => {
  assert.equal(await namespacesWith('wadi', 'wadi-read'), 'wadi wadi-read')
  await assert.rejects(namespacesWith('', 'a/b'), /WADI_CREDENTIALS_NAMESPACE: "a\/b" must be the name/)
})
