import { withContext } from '@wadi/errors/with-context.ts'
import { unplaced } from '@wadi/fields/field-places.ts'
import { readBySchema } from '@wadi/fields/schema-findings.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { compileArgoGlob } from '@wadi/patterns/argo-glob.ts'
import { z } from 'zod'
import type { SigningKeyEntry } from './signing-keys.ts'

const texts = z.array(z.string()).default([])
const entries = z.array(
  z.strictObject({
    key: z.string(),
    passphraseFile: z.string().optional(),
    agentSocket: z.string().optional(),
    projects: texts,
    repositories: texts,
  }),
)

/**
 * Reads a list of keys in YAML. An entry is for the projects that it names and the repositories that one of its globs matches; for all
 * without `projects` or `repositories`.
 * @param setting names the text in messages
 * @throws InvalidInputError that names line or field
 */
export function readSigningKeyList(text: string, setting: string): SigningKeyEntry[] {
  const value: unknown = readYaml(text, setting).documents[0]?.value ?? []
  return readBySchema(entries, value, unplaced('', setting)).map((entry, index) => {
    const { key, passphraseFile, agentSocket, projects, repositories } = entry
    const place = `${setting}[${index}]`
    const globs = repositories.map((pattern) =>
      withContext(`${place}.repositories`, () => compileArgoGlob(normalizeRepositoryUrl(pattern))),
    )
    const isOfProject = (project: string) => projects.length === 0 || projects.includes(project)
    const isIn = (url: string) => globs.length === 0 || globs.some((matches) => matches(url))
    return {
      setting: place,
      keyPath: key,
      passphraseFile,
      agentSocket,
      projects,
      repositories,
      isFor: (project, repoUrl) =>
        (project === undefined || isOfProject(project)) &&
        (repoUrl === undefined || isIn(normalizeRepositoryUrl(repoUrl))),
    }
  })
}
