import type { LinkProps } from '@tanstack/react-router'
import type { SearchResponse } from '@wadi/protocol/gen/wadi/api_gateway/v1/search_service_pb.ts'
import { visibleText } from '../../words/visible-text.ts'
import { objectKey } from '../../features/application/objects/object-search.ts'
import { settingsTabs } from '../../features/settings/settings-tab.ts'
import { t } from '../../language/t.ts'

/** A thing that was found, and the page that shows it. */
export interface Hit {
  /** Unique among all that is found. */
  key: string
  title: string
  /** Tells it from others with the same title; empty for nothing. */
  text: string
  target: Pick<LinkProps, 'to' | 'params' | 'search'>
}

/** The things of one kind that were found. */
export interface HitGroup {
  label: string
  hits: readonly Hit[]
}

const pages: readonly Hit[] = [
  page(t('Applications'), '/applications'),
  page(t('New Application'), '/applications/new'),
  page(t('Environments'), '/environments'),
  page(t('Branches'), '/branches'),
  page(t('Findings'), '/findings'),
  page(t('ApplicationSets'), '/application-sets'),
  page(t('New ApplicationSet'), '/application-sets/new'),
  page(t('Impact'), '/impact'),
  ...Object.entries(settingsTabs).map(([tab, title]) => ({
    ...page(t('Settings: {part}', { part: title }), '/settings'),
    key: settingsKey(tab),
    target: { to: '/settings', search: { tab } } as Hit['target'],
  })),
]

/** Returns the key of a part of the settings. */
export function settingsKey(tab: string): string {
  return `page /settings ${tab}`
}

/** Returns the pages whose names contain a text; all for none. */
export function foundPages(text: string): Hit[] {
  return pages.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))
}

/** Returns what the server found, by kind. */
export function hitsOf(found: SearchResponse): HitGroup[] {
  const { applications, branches, repositories, applicationSets, projects, tools, commits, objects } = found
  return [
    {
      label: t('Applications'),
      hits: applications.map(({ namespace, name, repoUrl, path }) => ({
        key: `application ${namespace}/${name}`,
        title: name,
        text: visibleText([repoUrl, path].filter((part) => part !== '').join(' ')),
        target: { to: '/applications/$namespace/$name', params: { namespace, name } },
      })),
    },
    { label: t('Objects'), hits: objects.map(objectHit) },
    { label: t('Commits'), hits: commits.map(commitHit) },
    {
      label: t('Branches'),
      hits: branches.map(({ repoUrl, branch }) => ({
        key: `branch ${repoUrl} ${branch}`,
        title: visibleText(branch),
        text: repoUrl,
        target: { to: '/branch', search: { repository: repoUrl, branch } },
      })),
    },
    {
      label: t('Dry repositories'),
      hits: repositories.map((repository) =>
        listHit(`repository ${repository}`, repository, { repository: [repository] }),
      ),
    },
    {
      label: t('ApplicationSets'),
      hits: applicationSets.map(({ namespace, name }) => ({
        key: `set ${namespace}/${name}`,
        title: name,
        text: '',
        target: { to: '/application-sets/$namespace/$name', params: { namespace, name } },
      })),
    },
    {
      label: t('Projects'),
      hits: projects.map((project) => listHit(`project ${project}`, project, { project: [project] })),
    },
    {
      label: t('Tools'),
      hits: tools.map((tool) => listHit(`tool ${tool}`, tool, { tool: [tool] })),
    },
  ]
}

/** Returns a hit that leads to the Applications of a search. */
function listHit(key: string, title: string, search: Record<string, string[]>): Hit {
  return {
    key,
    title: visibleText(title),
    text: '',
    target: { to: '/applications', search } as Hit['target'],
  }
}

function objectHit({ identity, application, branch }: SearchResponse['objects'][number]): Hit {
  const { namespace = '', name = '' } = application ?? {}
  const { kind = '', namespace: within = '', name: ownName = '' } = identity ?? {}
  const object = identity ? objectKey(identity) : ''
  return {
    key: `object ${namespace}/${name} ${object}`,
    title: visibleText(`${kind} ${ownName}`),
    text: visibleText([within, t('in {place}', { place: name }), branch].filter(Boolean).join(', ')),
    target: {
      to: '/applications/$namespace/$name',
      params: { namespace, name },
      search: { tab: 'objects', object },
    },
  }
}

function commitHit({
  sha,
  repoUrl,
  isDry,
  application,
  applications,
}: SearchResponse['commits'][number]): Hit {
  const { namespace = '', name = '' } = application ?? {}
  return {
    key: `commit ${repoUrl} ${sha}`,
    title: commitTitle(isDry, sha.slice(0, 7)),
    text: `${t('{count, plural, one {# Application} other {# Applications}}', { count: applications })}, ${repoUrl}`,
    target: isDry
      ? { to: '/commit', search: { repository: repoUrl, sha } }
      : {
          to: '/applications/$namespace/$name',
          params: { namespace, name },
          search: { tab: 'changes', commit: sha },
        },
  }
}

function commitTitle(isDry: boolean, sha: string): string {
  return isDry ? t('dry commit {sha}', { sha }) : t('hydrated commit {sha}', { sha })
}

function page(title: string, to: Exclude<Hit['target']['to'], undefined>): Hit {
  return { key: `page ${to}`, title, text: '', target: { to } }
}
