import { answerInForm } from '../github/github-form-fixture.ts'
import type { ForgeData } from '../forge-data-fixture.ts'
import { type ForgeServer, startForgeServer } from '../forge-server-fixture.ts'

/** Starts a Gitea with one organisation; it believes to be reached under another name, as behind a proxy. */
export async function startGitea(
  owner: string,
  repositories: readonly ForgeData[],
  options: { wantsToken?: boolean; maxItems?: number; tls?: { key: string; cert: string } } = {},
): Promise<ForgeServer> {
  return startForgeServer(
    {
      answer: ([api, version, ...path]) =>
        api === 'api' && version === 'v1' ? answerInForm(giteaForm, owner, repositories, path) : undefined,
      token: ({ headers }) => headers.authorization?.replace(/^token /, ''),
      pageSizeParameter: 'limit',
      maxItems: options.maxItems ?? 50,
      pageHeaders: ({ path, next, total }): Record<string, string> => ({
        'x-total-count': String(total),
        ...(next !== undefined && {
          link: `<https://gitea.example${path}${next}>; rel="next",<https://gitea.example${path}?page=9>; rel="last"`,
        }),
      }),
    },
    options,
  )
}

const giteaForm: Parameters<typeof answerInForm>[0] = {
  repository: (owner: string, { id, name, ...repository }: ForgeData) => ({
    id,
    name,
    full_name: `${owner}/${name}`,
    owner: { login: owner },
    ssh_url: `git@gitea.example:${owner}/${name}.git`,
    clone_url: `https://gitea.example/${owner}/${name}.git`,
    html_url: `https://gitea.example/${owner}/${name}`,
    default_branch: repository.defaultBranch,
    archived: repository.archived ?? false,
    empty: Object.keys(repository.branches).length === 0,
  }),
  branch: (id) => ({ commit: { id } }),
  contents: () => [{ name: 'file' }],
  pull: { head: {}, base: {} },
  other: ({ labels = [] }, what) =>
    what === 'labels' ? { items: labels.map((name, id) => ({ id, name })), hasNoLink: true } : undefined,
}
