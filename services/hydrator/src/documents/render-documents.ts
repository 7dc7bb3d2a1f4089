import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import type { TemplateEngine } from '@wadi/gotemplate/template.ts'
import type { OperatorSettings } from '../operator-settings.ts'
import type { CommitFacts, DirectoryFacts } from './hydrator-metadata.ts'

/** Checks the operator's templates before anything is rendered, so that an error in them names the template. */
export function checkTemplates(engine: TemplateEngine, settings: OperatorSettings): void {
  engine.check('argocd-cm sourceHydrator.readmeMessageTemplate', settings.readmeTemplate)
  engine.check('argocd-cm sourceHydrator.commitMessageTemplate', settings.commitMessageTemplate)
}

/**
 * The README.md of a directory. The template sees the proposal's names and those of Argo CD's own template, but no
 * parameters: handing thousands over takes longer than many a render.
 */
export function renderReadme(engine: TemplateEngine, template: string, facts: DirectoryFacts): string {
  const { parameters: _parameters, ...shown } = facts
  return engine.render({
    name: 'argocd-cm sourceHydrator.readmeMessageTemplate',
    text: template,
    data: {
      ...shown,
      repoName: repositoryName(facts.repoURL),
      dryShortSHA: facts.drySha.slice(0, 7),
      ...argoNames(facts),
    },
  })
}

/**
 * The message of a hydrated commit, cleaned up as git does.
 * @throws InvalidInputError when nothing is left of it.
 */
export function renderCommitMessage(engine: TemplateEngine, template: string, facts: CommitFacts): string {
  const text = engine.render({
    name: 'argocd-cm sourceHydrator.commitMessageTemplate',
    text: template,
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
  return `${message}\n`
}

/** The last part of a repository's URL, which `git clone` takes as the folder's name. */
function repositoryName(repoUrl: string): string {
  const path = repoUrl.replace(/\/+$/u, '').replace(/\.git$/u, '')
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1)
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
