import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { VersionService } from '@wadi/protocol/gen/argocd/version/version_pb.ts'
import { callerKey } from '../authentication/caller.ts'
import { getVersion } from '../version.ts'

/** Argo CD's version service; callers who are not signed in get the version alone. */
export const argocdVersion: ServiceImpl<typeof VersionService> = {
  version: (_request, { values }: Pick<HandlerContext, 'values'>) => {
    const { version, nodeVersion, platform } = getVersion()
    const reported = { Version: `${version}+wadi` }
    const isSignedIn = (values.get(callerKey)?.subject.sub ?? '') !== ''
    return isSignedIn ? { ...reported, GoVersion: `node ${nodeVersion}`, Platform: platform } : reported
  },
}
