import { DomainError, errorMessage } from '@wadi/errors/domain-error.ts'
import { normalizeRepositoryUrl } from '@wadi/git/remote/repository-identity.ts'
import type { Matcher } from '@wadi/patterns/matcher.ts'
import { controlPlaneNamespace } from '@wadi/resources/control-plane-namespace.ts'
import { compileProjectGlob } from '@wadi/resources/project/project-glob.ts'
import { readProject } from '@wadi/resources/project/project-permission.ts'
import type { ReviewSetting } from '@wadi/resources/project/review-setting.ts'
import type { ResourceStore } from '@wadi/resources/store/resource-store.ts'

/** The operator's settings for pull requests. */
export interface ReviewSettings {
  /** Returns how much to show of an Application; `off` if its pull requests are not reviewed. */
  readonly shownOf: (project: string, repoUrl: string) => Promise<ReviewSetting>
  /** The address of the console, without a slash at the end; empty when it is not known. */
  readonly consoleUrl: string
  /** The error in the settings; empty if there is none. */
  readonly error: string
}

/** The key of `argocd-cm` with patterns of the dry repositories whose pull requests are reviewed. */
const repositoriesKey = 'sourceHydrator.reviews'

const maxPatterns = 1_000

/**
 * Reads the settings afresh. A project decides with its annotation; where it says nothing, the counts are shown for the
 * repositories that `argocd-cm` lists. A project that cannot be read shows nothing.
 */
export async function readReviewSettings(store: ResourceStore): Promise<ReviewSettings> {
  const configMap = await store.get('ConfigMap', controlPlaneNamespace, 'argocd-cm')
  const { isListed, error } = listedRepositories(configMap?.data?.[repositoriesKey] ?? '')
  const projects = new Map<string, Promise<ReviewSetting | undefined>>()
  const ofProject = async (name: string): Promise<ReviewSetting | undefined> => {
    try {
      return (await readProject(store, name)).reviews
    } catch (cause) {
      if (cause instanceof DomainError && !cause.retryable) return 'off'
      throw cause
    }
  }
  return {
    shownOf: async (project, repoUrl) => {
      const said = await projects.getOrInsertComputed(project, ofProject)
      return said ?? (isListed(repoUrl) ? 'summary' : 'off')
    },
    consoleUrl: consoleUrlOf(configMap?.data?.['url'] ?? ''),
    error,
  }
}

function listedRepositories(text: string): { isListed: Matcher; error: string } {
  const patterns = text.split(/[\s,]+/).filter((pattern) => pattern !== '')
  try {
    const matchers = patterns
      .slice(0, maxPatterns)
      .map((pattern) => compileProjectGlob(normalizeRepositoryUrl(pattern)))
    const isListed = (repoUrl: string): boolean => {
      const url = normalizeRepositoryUrl(repoUrl)
      return url.length <= 2048 && matchers.some((matches) => matches(url))
    }
    return { isListed, error: '' }
  } catch (cause) {
    return { isListed: () => false, error: `argocd-cm: ${repositoriesKey}: ${errorMessage(cause)}` }
  }
}

function consoleUrlOf(text: string): string {
  const url = URL.parse(text.trim())
  return url && ['http:', 'https:'].includes(url.protocol) ? url.href.replace(/\/+$/, '') : ''
}
