import { readReleaseList } from '@wadi/renderer-tools/releases/release-list.ts'
import { verifyTools as verified } from '@wadi/renderer-tools/releases/verify-tools.ts'
import type { RepoServerContext } from '../context.ts'
import { toolsNow } from '../tools/known-tools.ts'

/** Compares the files of all versions with the list and with what is recorded beside them. */
export function verifyTools({ tools }: Pick<RepoServerContext, 'tools'>) {
  return async () => {
    const { downloads, toolsDirectory, toolList } = tools
    const list = await readReleaseList(toolList)
    const places = { list, toolsDirectory, downloadsDirectory: downloads?.directory }
    return { tools: await verified(await toolsNow(tools), places) }
  }
}
