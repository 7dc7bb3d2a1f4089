import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type ChannelCredentials, credentials, Metadata, type requestCallback } from '@grpc/grpc-js'
import { createClient, type Transport } from '@connectrpc/connect'
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
  Http2SessionManager,
} from '@connectrpc/connect-node'
import { type Mesh, startMesh } from '@wadi/mesh/mesh.ts'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { VersionService } from '@wadi/protocol/gen/wadi/api_gateway/v1/version_service_pb.ts'
import { GrpcReflection } from 'grpc-js-reflection-client'
import { makeDataDirectory, makeTestDirectory } from '../hydration-fixture.ts'
import { quietEnvironment } from '../mesh-fixture.ts'
import { makeCertificate, noOpenssl } from '@wadi/testing/tls-certificate.ts'

/** Node takes no address for the name that a certificate is to have. */
const channelOptions = { 'grpc.ssl_target_name_override': 'localhost' }

/** A method of a client that was made from descriptors that a server sent. */
type GenericCall = (
  request: object,
  metadata: Metadata,
  callback: requestCallback<Record<string, unknown>>,
) => void

for (const isTls of [false, true]) {
  describe(`a gateway ${isTls ? 'with TLS' : 'without TLS'}`, { skip: isTls && noOpenssl }, () => {
    const owned = new AsyncDisposableStack()
    const connections = new DisposableStack()
    let mesh: Mesh
    let authority: Buffer | undefined
    before(async () => {
      const directory = await makeTestDirectory(owned)
      const files = isTls ? makeCertificate(directory) : undefined
      if (files) authority = readFileSync(files.certificate)
      mesh = await startMesh({
        dataDirectory: await makeDataDirectory(directory),
        listen: '127.0.0.1:0',
        environment: {
          ...quietEnvironment,
          ...(files && { WADI_TLS_CERT_FILE: files.certificate, WADI_TLS_KEY_FILE: files.key }),
        },
      })
      owned.use(mesh)
    })
    after(async () => {
      connections.dispose()
      await owned.disposeAsync()
    })

    const channel = (): ChannelCredentials => {
      return authority ? credentials.createSsl(authority) : credentials.createInsecure()
    }
    const host = () => new URL(mesh.address).host
    const signedIn = () => {
      const metadata = new Metadata()
      metadata.set('token', mesh.adminToken)
      return metadata
    }
    const reflection = () => new GrpcReflection(host(), channel(), channelOptions, 'v1')

    /** Calls a method as grpcurl does: by the server's description of it. */
    async function callByReflection(
      service: string,
      method: string,
      request: object,
      metadata: Metadata,
    ): Promise<Record<string, unknown>> {
      const descriptor = await reflection().getDescriptorBySymbol(service, signedIn())
      const found = service
        .split('.')
        .reduce<unknown>(
          (scope, name) => (scope as Record<string, unknown>)[name],
          descriptor.getPackageObject({ keepCase: true }),
        )
      const Client = found as new (
        address: string,
        channel: ChannelCredentials,
        options: object,
      ) => { close(): void }
      const client = new Client(host(), channel(), channelOptions)
      try {
        return await new Promise((resolve, reject) => {
          const call = Reflect.get(client, method) as GenericCall
          call.call(client, request, metadata, (error, answer) =>
            answer ? resolve(answer) : reject(error ?? new Error('no answer')),
          )
        })
      } finally {
        client.close()
      }
    }

    test('a generic client lists the services of users and calls one that it knows nothing of', async () => {
      const services = await reflection().listServices('*', signedIn())
      for (const service of ['ApplicationService', 'VersionService']) {
        assert.ok(services.includes(`wadi.api_gateway.v1.${service}`), service)
      }
      assert.ok(services.includes('wadi.application_sets.v1.ApplicationSetService'))
      assert.ok(services.includes('applicationset.ApplicationSetService'))
      assert.deepEqual(
        services.filter((name) => /appset_service|repo_server|commit_server|hydrator/.test(name)),
        [],
      )
      const answer = await callByReflection(
        'wadi.api_gateway.v1.VersionService',
        'GetVersion',
        {},
        signedIn(),
      )
      assert.equal(answer['node_version'], process.version)
      await assert.rejects(
        callByReflection('wadi.api_gateway.v1.ApplicationService', 'ListApplications', {}, new Metadata()),
        { code: 16, details: 'no session information' },
      )
    })

    test('everybody may ask for the health', async () => {
      const answer = await callByReflection('grpc.health.v1.Health', 'Check', {}, new Metadata())
      assert.equal(answer['status'], 1)
    })

    test('Connect, gRPC and gRPC-web are served on one port', async () => {
      const baseUrl = mesh.address
      const nodeOptions = authority ? { ca: authority } : {}
      const sessionManager = new Http2SessionManager(baseUrl, {}, nodeOptions)
      connections.defer(() => sessionManager.abort())
      const http2 = { baseUrl, sessionManager, httpVersion: '2' } as const
      const http1 = { baseUrl, httpVersion: '1.1', nodeOptions } as const
      const transports: Record<string, Transport> = {
        'Connect over HTTP/1.1': createConnectTransport(http1),
        'Connect over HTTP/2': createConnectTransport(http2),
        gRPC: createGrpcTransport({ baseUrl, sessionManager }),
        'gRPC-web over HTTP/1.1': createGrpcWebTransport(http1),
        'gRPC-web over HTTP/2': createGrpcWebTransport(http2),
      }
      const headers = { authorization: `Bearer ${mesh.adminToken}` }
      for (const [name, transport] of Object.entries(transports)) {
        const { nodeVersion } = await createClient(VersionService, transport).getVersion({}, { headers })
        assert.equal(nodeVersion, process.version, name)
        const applications = createClient(ApplicationService, transport)
        assert.deepEqual((await applications.listApplications({}, { headers })).applications, [], name)
        await assert.rejects(applications.listApplications({}), { code: 16 }, name)
        await assert.rejects(applications.getApplication({ name: 'x' }, { headers }), { code: 5 }, name)
      }
    })
  })
}
