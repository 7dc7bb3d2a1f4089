import type { KubernetesNode } from '@wadi/testing/kubernetes-node/kubernetes-node.ts'
import { afterAllTests } from '@wadi/testing/process-end.ts'
import { startReleaseNode } from './release-node-fixture.ts'

let shared: Promise<KubernetesNode> | undefined

afterAllTests(async () => {
  await (await shared)?.[Symbol.asyncDispose]()
})

/** The node that the test files of this directory share. */
export function sharedNode(): Promise<KubernetesNode> {
  shared ??= startReleaseNode()
  return shared
}
