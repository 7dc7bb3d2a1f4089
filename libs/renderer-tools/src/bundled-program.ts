import type { BundledTool } from './bundled-tools.ts'

/**
 * The path of a tool that comes along. The code that unpacks it is loaded only if there is no other.
 * @throws what `bundledTool` throws
 */
export async function bundledProgram(
  tool: BundledTool,
  { cacheDirectory }: { readonly cacheDirectory: string },
): Promise<string> {
  const { bundledTool } = await import('./bundled-tools.ts')
  return bundledTool(tool, cacheDirectory)
}

/** Returns true for the path of a tool that comes along. */
export function isBundled(program: string): boolean {
  return /\/kubectl-layer-[^/]+\/\w+$/.test(program)
}
