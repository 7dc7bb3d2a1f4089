import path from 'node:path'
import type { PlaneFiles } from '../kubernetes-plane/plane-files.ts'
import { nodeAddress, podRange, serviceRange } from './node-place.ts'

/** Returns the flags of etcd, which keeps its data in a directory. */
export function etcdFlags(data: string): string[] {
  const [client, peer] = ['http://127.0.0.1:2379', 'http://127.0.0.1:2380']
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
    '--unsafe-no-fsync',
  ]
}

/** Returns the flags of an API server of pods. */
export function apiServerFlags(files: PlaneFiles): string[] {
  return [
    '--etcd-servers=http://127.0.0.1:2379',
    '--bind-address=0.0.0.0',
    `--advertise-address=${nodeAddress}`,
    '--secure-port=6443',
    `--service-cluster-ip-range=${serviceRange}`,
    '--allow-privileged=true',
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    `--client-ca-file=${files.ca}`,
    `--token-auth-file=${files.tokens}`,
    `--tls-cert-file=${files.certificate}`,
    `--tls-private-key-file=${files.key}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${files.accountPublicKey}`,
    `--service-account-signing-key-file=${files.accountKey}`,
    `--kubelet-client-certificate=${path.join(files.directory, 'client.crt')}`,
    `--kubelet-client-key=${path.join(files.directory, 'client.key')}`,
    '--kubelet-preferred-address-types=InternalIP',
  ]
}

/** Returns the flags of the controllers. */
export function controllerFlags({ directory, accountKey, ca }: PlaneFiles): string[] {
  return [
    `--kubeconfig=${path.join(directory, 'controller-manager.kubeconfig')}`,
    `--service-account-private-key-file=${accountKey}`,
    `--root-ca-file=${ca}`,
    '--allocate-node-cidrs=true',
    `--cluster-cidr=${podRange}`,
    `--service-cluster-ip-range=${serviceRange}`,
    '--use-service-account-credentials=true',
    '--leader-elect=false',
  ]
}
