import { answerInForm } from './github-form-fixture.ts'
import type { ForgeData } from '../forge-data-fixture.ts'
import { type ForgeServer, startForgeServer } from '../forge-server-fixture.ts'

/** Starts a GitHub Enterprise Server with one organisation. */
export async function startGithub(
  organization: string,
  repositories: readonly ForgeData[],
  options: { wantsToken?: boolean; maxItems?: number; tls?: { key: string; cert: string } } = {},
): Promise<ForgeServer> {
  return startForgeServer(
    {
      answer: ([api, version, ...path]) =>
        api === 'api' && version === 'v3'
          ? answerInForm(githubForm, organization, repositories, path)
          : undefined,
      token: ({ headers }) => headers.authorization?.replace(/^Bearer /, ''),
      pageSizeParameter: 'per_page',
      maxItems: options.maxItems ?? 100,
      pageHeaders: ({ request, path, next }): Record<string, string> =>
        next === undefined
          ? {}
          : {
              link: `<http://${request.headers.host}${path}${next}>; rel="next", <http://${request.headers.host}${path}?page=99>; rel="last"`,
            },
    },
    options,
  )
}

const githubForm: Parameters<typeof answerInForm>[0] = {
  repository: (organization: string, { id, name, ...repository }: ForgeData) => ({
    id,
    name,
    full_name: `${organization}/${name}`,
    owner: { login: organization, type: 'Organization' },
    ssh_url: `git@github.example:${organization}/${name}.git`,
    clone_url: `https://github.example/${organization}/${name}.git`,
    default_branch: repository.defaultBranch,
    archived: repository.archived ?? false,
    topics: repository.labels ?? [],
  }),
  branch: (sha) => ({ commit: { sha }, protected: false }),
  contents: (path) => ({ name: path.split('/').at(-1) }),
  pull: { head: { repo: null }, base: { sha: '0'.repeat(40) } },
}
