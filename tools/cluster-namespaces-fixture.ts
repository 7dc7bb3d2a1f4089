import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import { bundledTool } from '@wadi/renderer-tools/bundled-tools.ts'
import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { sharedKubernetesPlane } from '@wadi/testing/kubernetes-plane/shared-plane.ts'
import { toolCache } from '@wadi/testing/tool-cache.ts'
import type { KubernetesObject } from './kubernetes-objects-fixture.ts'

const run = promisify(execFile)

/** Definitions of kinds that the chart makes objects of and that others install. */
const kindsOfOthers = ['httproutes.yaml', 'prometheusrules.yaml'].map((name) =>
  path.join(import.meta.dirname, 'testdata', name),
)

/** Namespaces of a test alone in the cluster of the run, of which the first admits only restricted pods. */
export async function openNamespaces() {
  const plane = await sharedKubernetesPlane()
  await plane.applyCrds(...crdFiles, ...kindsOfOthers)
  const namespace = `test-${randomUUID().slice(0, 8)}`
  const [readNamespace, writeNamespace] = [`${namespace}-read`, `${namespace}-write`]
  const level = {
    'pod-security.kubernetes.io/enforce': 'restricted',
    'pod-security.kubernetes.io/warn': 'restricted',
  }
  await plane.create('/api/v1/namespaces', { metadata: { name: namespace, labels: level } })
  for (const name of [readNamespace, writeNamespace])
    await plane.create('/api/v1/namespaces', { metadata: { name } })
  /** The values by which the chart knows them. */
  const values = [`credentials.namespace=${readNamespace}`, `writeCredentials.namespace=${writeNamespace}`]
  const program = await bundledTool('kubectl', toolCache)
  const kubectl = async (args: readonly string[], input = '') => {
    const child = run(program, ['--kubeconfig', plane.kubeconfig, ...args])
    child.child.stdin?.end(input)
    return (await child).stdout
  }
  /** Runs a command that does not end by itself, until it has printed something. */
  const kubectlUntil = async (args: readonly string[], printed: RegExp, maxSeconds: number) => {
    const child = spawn(program, ['--kubeconfig', plane.kubeconfig, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: maxSeconds * 1_000,
    })
    let output = ''
    child.stdout.setEncoding('utf8')
    for await (const text of child.stdout) {
      output += text
      if (printed.test(output)) child.kill()
    }
    assert.match(output, printed)
  }
  return {
    kubectl,
    kubectlUntil,
    kubeconfig: plane.kubeconfig,
    namespace,
    readNamespace,
    writeNamespace,
    values,
  }
}

/** Objects as kubectl reads them. */
export function listOf(items: readonly KubernetesObject[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
