import { type ForgeData, type PullData, hasPath } from '../forge-data-fixture.ts'
import type { ForgeReply } from '../forge-server-fixture.ts'

/** The answers in which forges with an API like GitHub's differ. */
interface ForgeForm {
  repository(owner: string, data: ForgeData): object
  /** The commit of a branch, and other fields. */
  branch(sha: string): object
  contents(path: string): unknown
  /** Fields of a pull request besides those that all have. */
  readonly pull: { head: object; base: object }
  /** Answers for other paths of a repository. */
  other?(repository: ForgeData, what: string): ForgeReply | undefined
}

/** Answers for the path of a request below the API. */
export function answerInForm(
  form: ForgeForm,
  owner: string,
  repositories: readonly ForgeData[],
  [kind, wanted, name, ...rest]: readonly string[],
): ForgeReply | undefined {
  if (wanted !== owner) return undefined
  if (kind === 'orgs' && name === 'repos') {
    return { items: repositories.map((repository) => form.repository(owner, repository)) }
  }
  const repository = repositories.find((known) => known.name === name)
  if (kind !== 'repos' || !repository) return undefined
  const [what, ...path] = rest
  if (what === undefined) return { body: form.repository(owner, repository) }
  if (what === 'branches') return branches(form, repository, path.join('/'))
  if (what === 'contents' && hasPath(repository, path.join('/'))) {
    return { body: form.contents(path.join('/')) }
  }
  if (what !== 'pulls') return form.other?.(repository, what)
  const open = (repository.pulls ?? []).filter(({ state = 'opened' }) => state === 'opened')
  return { items: open.map((pull) => pullJson(form, pull)) }
}

function branches(form: ForgeForm, { branches: known }: ForgeData, only: string): ForgeReply | undefined {
  const items = Object.entries(known).map(([name, sha]) => ({ name, ...form.branch(sha) }))
  if (only === '') return { items }
  const body = items.find(({ name }) => name === only)
  return body && { body }
}

function pullJson(
  { pull: { head, base } }: ForgeForm,
  { number, title, branch, target, sha, author, labels = [] }: PullData,
) {
  return {
    number,
    title,
    state: 'open',
    user: author === undefined ? null : { login: author },
    labels: labels.map((name, id) => ({ id, name })),
    head: { ref: branch, sha, ...head },
    base: { ref: target, ...base },
  }
}
