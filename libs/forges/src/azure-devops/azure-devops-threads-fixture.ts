import {
  notFound,
  type StandInAnswer,
  type StandInPull,
  type StandInRequest,
  type StandInState,
} from '../pull-requests/forge-state-fixture.ts'
import { identity, list, refusal } from './azure-devops-answers-fixture.ts'

/** Answers about the threads of a pull request. */
export function azureDevOpsThreads(
  state: StandInState,
  pull: StandInPull,
  { method, path, body, ...request }: StandInRequest,
): StandInAnswer {
  const [, , , thread] = path
  const json = (one: StandInState['comments'][number]) => ({
    id: one.id,
    comments: [{ id: 1, content: one.body, author: identity(one.author), commentType: 'text' }],
    threadContext: null,
    isDeleted: false,
  })
  if (method === 'GET') {
    const marked = { id: 1, content: '[//]: # (wadi:diff)', commentType: 'text' }
    const atFile = { id: 1, comments: [marked], threadContext: { filePath: '/a.txt' } }
    const system = { id: 2, comments: [{ ...marked, commentType: 'system' }], threadContext: null }
    const deleted = {
      id: 3,
      comments: [{ ...marked, isDeleted: true }],
      threadContext: null,
      isDeleted: true,
    }
    const own = state.comments.filter((one) => one.pull === pull.number).map(json)
    return list([atFile, system, deleted, ...own], { ...request, method, path, body })
  }
  if (method === 'POST') {
    const [first] = body['comments'] as { content: string }[]
    const id = state.comments.length + 100
    const comment = { id, pull: pull.number, body: first?.content ?? '', author: state.account }
    state.comments.push(comment)
    return { status: 200, body: json(comment) }
  }
  const comment = state.comments.find((one) => String(one.id) === thread)
  if (!comment) return notFound
  if (comment.author !== state.account) return refusal(403, 'TF401171: Only its author may change a comment.')
  comment.body = String(body['content'])
  return { status: 200, body: json(comment).comments[0] }
}
