import type { CommitFacts, DirectoryFacts } from './hydrator-metadata.ts'
import { reproductionSteps } from './reproduction-steps.ts'

/** The text that Go templates show for an absent value: the documents equal what the templates in the guide produce. */
const absent = '<no value>'

/** The README of the manifest-hydrator proposal, in the form of its example. */
export function defaultReadme(facts: DirectoryFacts): string {
  const { crds, commitAuthor, commitMessage, commitTime } = facts
  const message = commitMessage?.replaceAll(/[\n\r]/gu, ' ')
  // A chart from a repository has no author.
  const details = Object.entries({ Author: commitAuthor, Message: message, Time: commitTime })
    .filter(([, value]) => value)
    .map(([name, value]) => `\n* ${name}: ${value}`)
  const definitions = crds === 'omit' ? 'left out' : 'in crds.yaml'
  const tools = facts.tools.map(({ name, version }) => `${name} ${version}`)
  return `${introduction(facts)}${crds === undefined ? '' : `\n\nCustomResourceDefinitions are ${definitions}.`}

These are the details of the most recent change;${details.join('')}

To reproduce the manifest hydration, do the following:

\`\`\`
${reproductionSteps(facts).join('\n')}
\`\`\`
${tools.length === 0 ? '' : `\nRendered with ${tools.join(', ')}.\n`}`
}

function introduction({ applications, layout }: DirectoryFacts): string {
  const isDivided = layout === 'file-per-object'
  const files = isDivided
    ? 'The files of this directory contain'
    : '[manifest.yaml](./manifest.yaml) contains'
  const division = isDivided ? ', one object each' : ''
  const [first, ...more] = applications.map(({ metadata: { name } }) => name)
  if (more.length === 0) {
    return `# ${first} Manifests\n\n${files} the hydrated manifests for the ${first} application${division}.`
  }
  const names = [first, ...more].map((name) => `\n- ${name}`).join('')
  return `# Manifests for ${applications.length} Applications\n\n${files} the hydrated manifests for these applications${division}:\n${names}`
}

/** Argo CD's commit message: short dry id and subject, body, then the authors of the dry commit and of its references. */
export function defaultCommitMessage({
  drySha,
  subject = absent,
  body,
  references,
  author,
}: CommitFacts): string {
  const coAuthors = [...(references ?? []).map(({ commit }) => commit.author), author]
  const trailers = coAuthors.filter(Boolean).map((name) => `\nCo-authored-by: ${name}`)
  return `${drySha.slice(0, 7)}: ${subject}${body ? `\n\n${body}` : ''}\n${trailers.join('')}\n`
}
