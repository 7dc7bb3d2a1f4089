import { parentPort } from 'node:worker_threads'
import { answerJob } from '../threads/answer-job.ts'
import { type KustomizeRequest, loadGivenKustomize } from './kustomize.ts'

const kustomize = await loadGivenKustomize()
// A patch needs the schema of the API, which the engine reads once; no caller is to pay for the time of that.
kustomize.build({
  path: '',
  files: new Map([
    ['pod.yaml', Buffer.from('apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n')],
    ['kustomization.yaml', Buffer.from('resources: [pod.yaml]\npatches: [{path: pod.yaml}]\n')],
  ]),
})

parentPort?.on('message', (request: KustomizeRequest) =>
  parentPort?.postMessage(
    answerJob(() => kustomize.build(request)),
    [],
  ),
)
// The first message says that kustomizations can come.
parentPort?.postMessage('ready', [])
