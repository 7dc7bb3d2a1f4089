import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { TemplateEngine } from '@wadi/engines/templates/template.ts'
import { LRUCache } from 'lru-cache'
import type { OperatorSettings } from '../operator-settings.ts'
import { defaultCommitMessage, defaultReadme } from './default-documents.ts'
import type { CommitFacts, DirectoryFacts } from './hydrator-metadata.ts'
import { pullCommand, repositoryName, reproductionSteps } from './reproduction-steps.ts'

/** Templates that were found to be right, by name and text; each run checks those of the operator. */
const sound = new LRUCache<string, true>({ max: 64 })

/** Messages by all that they are made of: the branches of a dry commit have the same one. */
const messages = new LRUCache<string, string>({
  max: 64,
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: (text, key) => text.length + key.length,
})

/** A template of the operator's and what renders it; undefined for the default. */
export type OperatorTemplate = { readonly engine: TemplateEngine; readonly text: string } | undefined

/** Templates of the documents of hydrated commits. */
export interface DocumentTemplates {
  readonly readme: OperatorTemplate
  readonly commitMessage: OperatorTemplate
}

const readmeName = 'argocd-cm sourceHydrator.readmeMessageTemplate'
const commitMessageName = 'argocd-cm sourceHydrator.commitMessageTemplate'

/**
 * Reads the operator's templates. Without any, the engine is not loaded, which takes 20 MiB.
 * @throws InvalidInputError that names the template and what is wrong with it, before anything is rendered
 */
export async function documentTemplates(
  load: () => Promise<TemplateEngine>,
  { readmeTemplate, commitMessageTemplate }: OperatorSettings,
): Promise<DocumentTemplates> {
  const read = async (name: string, text: string | undefined): Promise<OperatorTemplate> => {
    if (text === undefined) return undefined
    const engine = await load()
    checkTemplate(engine, name, text)
    return { engine, text }
  }
  return {
    readme: await read(readmeName, readmeTemplate),
    commitMessage: await read(commitMessageName, commitMessageTemplate),
  }
}

function checkTemplate(engine: TemplateEngine, name: string, text: string): void {
  const key = `${name}\n${text}`
  if (sound.has(key)) return
  engine.check(name, text)
  sound.set(key, true)
}

/**
 * The README.md of a directory. The template sees the proposal's names and those of Argo CD's own template, but no
 * parameters and no names of files: handing thousands over takes longer than many a render.
 */
export function renderReadme(template: OperatorTemplate, facts: DirectoryFacts): string {
  if (template === undefined) return defaultReadme(facts)
  const { parameters: _parameters, manifests: _manifests, ...shown } = facts
  return template.engine.render({
    name: readmeName,
    text: template.text,
    data: {
      ...shown,
      repoName: repositoryName(facts.repoURL),
      dryShortSHA: facts.drySha.slice(0, 7),
      steps: reproductionSteps(facts),
      ...(facts.chart !== undefined && { pullCommand: pullCommand(facts) }),
      ...argoNames(facts),
    },
  })
}

/**
 * The message of a hydrated commit, cleaned up as git does.
 * @throws InvalidInputError when nothing is left of it.
 */
export function renderCommitMessage(template: OperatorTemplate, facts: CommitFacts): string {
  const key = JSON.stringify([template?.text, facts])
  const known = messages.get(key)
  if (known !== undefined) return known
  const text =
    template === undefined
      ? defaultCommitMessage(facts)
      : template.engine.render({
          name: commitMessageName,
          text: template.text,
          data: { metadata: facts },
        })
  const message = text
    .replaceAll(/[ \t\r]+$/gmu, '')
    // Some readers take it for the end of a line, so that what follows would be a trailer of its own.
    .replaceAll('\r', ' ')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .replaceAll(/^\n+|\n+$/gu, '')
  if (message === '') {
    throw new InvalidInputError(
      'argocd-cm: sourceHydrator.commitMessageTemplate gives an empty commit message',
    )
  }
  messages.set(key, `${message}\n`)
  return `${message}\n`
}

function argoNames(facts: DirectoryFacts): Record<string, unknown> {
  return {
    RepoURL: facts.repoURL,
    DrySHA: facts.drySha,
    Commands: facts.commands,
    Author: facts.author ?? '',
    Date: facts.date ?? '',
    Subject: facts.subject ?? '',
    Body: facts.body ?? '',
    References: (facts.references ?? []).map(({ commit }) => ({
      Commit: {
        Author: commit.author ?? '',
        Date: commit.date ?? '',
        Subject: commit.subject ?? '',
        Body: commit.body ?? '',
        SHA: commit.sha ?? '',
        RepoURL: commit.repoUrl ?? '',
      },
    })),
  }
}
