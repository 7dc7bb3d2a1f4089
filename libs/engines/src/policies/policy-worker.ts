import { parentPort } from 'node:worker_threads'
import { answerJob } from '../threads/answer-job.ts'
import { loadGivenPolicies, type PolicyRequest } from './policies.ts'

const policies = await loadGivenPolicies()
// The program starts with its first request, for whose time no caller is to pay.
policies.judge({ policies: '[]', objects: [], namespaces: [] })

parentPort?.on('message', (request: PolicyRequest) =>
  parentPort?.postMessage(
    answerJob(() => policies.judge(request)),
    [],
  ),
)
// The first message says that requests can come.
parentPort?.postMessage('ready', [])
