import { errorMessage } from '@wadi/errors/domain-error.ts'
import type { ApplicationDestination } from '../application/application.ts'
import { type LayoutSetting, readLayoutSetting } from '../application/layout.ts'
import { readSyncTool, type SyncTool } from '../application/sync-tool.ts'
import { checkPullRequestAnnotations } from '../application/pull-request-setting.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { FieldReader } from '@wadi/fields/field-reader.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import type { Resource } from '../resource.ts'
import { compileProjectGlob } from './project-glob.ts'
import { readReviewSetting, type ReviewSetting } from './review-setting.ts'
import { readSignaturePolicies, type SignaturePolicy } from './signature-policy.ts'

/**
 * One pattern of a project. As Argo CD has it, a pattern `!x` permits what `x` does not match and denies what it
 * matches, so a list of such patterns alone permits everything else.
 */
type Rule = (text: string) => 'permit' | 'deny' | 'none'

type DestinationRule = (destination: ApplicationDestination) => 'permit' | 'deny' | 'none'

/** The permissions of a project's Applications (AppProject of Argo CD). */
export interface AppProject {
  name: string
  /** The namespace of the project's object, whose Applications are always permitted; undefined for a built-in one. */
  namespace: string | undefined
  sourceRules: readonly Rule[]
  destinationRules: readonly DestinationRule[]
  namespaceRules: readonly Rule[]
  /** True if a destination must be a cluster that names this project as its own, in addition to the rules. */
  permitOnlyProjectScopedClusters: boolean
  /** Whose signatures the commits of which repositories need. */
  signaturePolicies: readonly SignaturePolicy[]
  /** The layout of the hydrated directories of Applications that choose none. */
  layout: LayoutSetting
  /** The tool that applies the hydrated directories of Applications that name no tool; undefined when the project names none. */
  syncTool: SyncTool | undefined
  /** The details of its Applications in pull requests; undefined if the project does not set it. */
  reviews: ReviewSetting | undefined
}

/** The project `default` as it is while no object defines it: it permits every source, destination and namespace. */
export const defaultProject: AppProject = {
  name: 'default',
  namespace: undefined,
  sourceRules: [() => 'permit'],
  destinationRules: [() => 'permit'],
  namespaceRules: [() => 'permit'],
  permitOnlyProjectScopedClusters: false,
  signaturePolicies: [],
  layout: {},
  syncTool: undefined,
  reviews: undefined,
}

/**
 * Reads an AppProject; unknown fields are ignored.
 * @throws InvalidInputError that lists every error with its field path, patterns that cannot be read among them.
 */
export function parseAppProject(resource: Resource): AppProject {
  const { name, namespace } = resource.metadata
  const reader = new FieldReader(`AppProject ${name}`)
  const spec = reader.object({ spec: resource.spec }, 'spec', '') ?? {}
  const project: AppProject = {
    name,
    namespace,
    sourceRules: reader
      .strings(spec, 'sourceRepos', 'spec.')
      .map((pattern, index) => sourceRule(pattern, `spec.sourceRepos[${index}]`, reader)),
    destinationRules: reader
      .list(spec, 'destinations', 'spec.')
      .map((item, index) => destinationRule(item, `spec.destinations[${index}]`, reader)),
    namespaceRules: reader
      .strings(spec, 'sourceNamespaces', 'spec.')
      .map((pattern, index) => namespaceRule(pattern, `spec.sourceNamespaces[${index}]`, reader)),
    permitOnlyProjectScopedClusters:
      reader.boolean(spec, 'permitOnlyProjectScopedClusters', 'spec.') ?? false,
    signaturePolicies: readSignaturePolicies(spec, reader),
    layout: readLayoutSetting(resource.metadata.annotations ?? {}, reader),
    syncTool: readSyncTool(resource.metadata.annotations ?? {}, reader),
    reviews: readReviewSetting(resource.metadata.annotations ?? {}, reader),
  }
  checkPullRequestAnnotations(resource.metadata.annotations ?? {}, reader)
  reader.throwFindings()
  return project
}

/** Returns whether Applications of the project may read from and hydrate to the repository. */
export function projectPermitsSource(project: AppProject, repoUrl: string): boolean {
  return isTestable(repoUrl) && permits(project.sourceRules, normalizeRepositoryUrl(repoUrl))
}

/** Returns whether Applications of the project may be made for the destination. */
export function projectPermitsDestination(project: AppProject, destination: ApplicationDestination): boolean {
  const { server = '', name = '', namespace = '' } = destination
  return [server, name, namespace].every(isTestable) && permits(project.destinationRules, destination)
}

/** Returns whether Applications in the namespace may belong to the project. */
export function projectPermitsNamespace(project: AppProject, namespace: string): boolean {
  return namespace === project.namespace || permits(project.namespaceRules, namespace)
}

/** A pattern takes its time for each character of a text, and nothing that a rule is about is longer. */
function isTestable(text: string): boolean {
  return text.length <= 2048
}

/** One permitting rule is needed, and one denying rule is enough to refuse, wherever it stands. */
function permits<Tested>(
  rules: readonly ((tested: Tested) => 'permit' | 'deny' | 'none')[],
  tested: Tested,
): boolean {
  const verdicts = rules.map((verdict) => verdict(tested))
  return verdicts.includes('permit') && !verdicts.includes('deny')
}

function sourceRule(pattern: string, field: string, reader: FieldReader): Rule {
  const denies = pattern.startsWith('!')
  const comparable = normalizeRepositoryUrl(denies ? pattern.slice(1) : pattern)
  return rule(denies, comparable === '*' ? '**' : comparable, field, reader, '/')
}

function namespaceRule(pattern: string, field: string, reader: FieldReader): Rule {
  if (/^\/.*\/$/s.test(pattern)) {
    reader.report(`${field}: regular expressions are not supported; use a glob pattern`)
  }
  const denies = pattern.startsWith('!')
  const verdict = rule(denies, denies ? pattern.slice(1) : pattern, field, reader)
  // Argo CD knows no denial here: what is not denied still needs a pattern that permits it.
  return (text) => (denies && verdict(text) === 'permit' ? 'none' : verdict(text))
}

function rule(
  denies: boolean,
  pattern: string,
  field: string,
  reader: FieldReader,
  separator?: string,
): Rule {
  const matches = compiled(pattern, field, reader, separator)
  return denies
    ? (text) => (matches(text) ? 'deny' : 'permit')
    : (text) => (matches(text) ? 'permit' : 'none')
}

/** The rule of one destination, whose server or name and whose namespace have to permit. */
function destinationRule(item: unknown, field: string, reader: FieldReader): DestinationRule {
  reader.isObject(item, field)
  const fields = isJsonObject(item) ? item : {}
  const part = (name: string) => {
    const pattern = reader.string(fields, name, `${field}.`) ?? ''
    const denies = pattern.startsWith('!')
    const matches = compiled(denies ? pattern.slice(1) : pattern, `${field}.${name}`, reader)
    return { denies, isAny: pattern === '*', permits: (text: string) => matches(text) !== denies }
  }
  const serverPart = part('server')
  const namePart = part('name')
  const namespacePart = part('namespace')
  return ({ server = '', name = '', namespace = '' }) => {
    // Any cluster is one of which only the name or only the address is known, too.
    const isAny = (serverPart.isAny && !namePart.denies) || (namePart.isAny && !serverPart.denies)
    const permitsServer = server === '' ? isAny && name !== '' : isAny || serverPart.permits(server)
    const permitsName = name !== '' && namePart.permits(name)
    const permitsNamespace = namespacePart.permits(namespace)
    if ((permitsServer || permitsName) && permitsNamespace) return 'permit'
    const denied =
      (serverPart.denies && !permitsServer) ||
      (namePart.denies && !permitsName) ||
      (namespacePart.denies && !permitsNamespace)
    return denied ? 'deny' : 'none'
  }
}

function compiled(pattern: string, field: string, reader: FieldReader, separator?: string): Matcher {
  try {
    return compileProjectGlob(pattern, separator)
  } catch (error) {
    reader.report(`${field}: ${errorMessage(error)}`)
    return () => false
  }
}
