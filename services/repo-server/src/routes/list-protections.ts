import type { RepoServerContext } from '../context.ts'

/** Lists how renderers are contained on this machine. */
export function listProtections({ protections }: Pick<RepoServerContext, 'protections'>) {
  return () => ({ protections: protections.map((protection) => ({ ...protection })) })
}
