import { crdFiles } from '@wadi/testing/kubernetes-api/crd-files.ts'
import { KubernetesNode } from '@wadi/testing/kubernetes-node/kubernetes-node.ts'
import { redisImageFile, wadiImageFile } from '@wadi/testing/kubernetes-node/node-images.ts'

/** Starts a node with the images of Wadi and Redis, and the kinds of Wadi. */
export async function startReleaseNode(): Promise<KubernetesNode> {
  const node = await KubernetesNode.start()
  await node.applyCrds(...crdFiles)
  for (const image of [wadiImageFile(), redisImageFile()]) await node.loadImage(image)
  return node
}
