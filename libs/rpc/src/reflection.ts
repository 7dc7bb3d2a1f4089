import { toBinary } from '@bufbuild/protobuf'
import type { DescFile, DescMessage, DescService } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import type { ServerReflectionRequest } from '@wadi/protocol/gen/grpc/reflection/v1/reflection_pb.ts'
import type { ServerReflectionRequest as V1AlphaRequest } from '@wadi/protocol/gen/grpc/reflection/v1alpha/reflection_pb.ts'

/** The part that both versions share. */
interface Asked {
  host: string
  messageRequest: ServerReflectionRequest['messageRequest'] | V1AlphaRequest['messageRequest']
}

type Answer =
  | { case: 'listServicesResponse'; value: { service: { name: string }[] } }
  | { case: 'fileDescriptorResponse'; value: { fileDescriptorProto: Uint8Array[] } }
  | { case: 'allExtensionNumbersResponse'; value: { baseTypeName: string; extensionNumber: number[] } }
  | { case: 'errorResponse'; value: { errorCode: number; errorMessage: string } }

/** Implements `ServerReflection` of `grpc.reflection.v1` and `v1alpha`, over the descriptors that the generated code carries. */
export function createReflection(services: readonly DescService[]) {
  const { files, fileBySymbol } = indexDescriptors(services)
  const answer = (request: Asked['messageRequest']): Answer => {
    switch (request.case) {
      case 'listServices':
        return {
          case: 'listServicesResponse',
          value: { service: services.map(({ typeName }) => ({ name: typeName })) },
        }
      case 'fileByFilename':
        return fileAnswer(files.get(request.value), `file "${request.value}"`)
      case 'fileContainingSymbol':
        return fileAnswer(fileBySymbol.get(request.value), `symbol "${request.value}"`)
      case 'allExtensionNumbersOfType':
        // Our contracts are proto3 and declare no extensions, so each known type has none.
        return fileBySymbol.has(request.value)
          ? {
              case: 'allExtensionNumbersResponse',
              value: { baseTypeName: request.value, extensionNumber: [] },
            }
          : rejection(Code.NotFound, `type "${request.value}" is unknown`)
      case 'fileContainingExtension':
        return rejection(Code.NotFound, 'no extension is declared here')
      default:
        return rejection(Code.InvalidArgument, 'the request asks for nothing')
    }
  }
  return {
    async *serverReflectionInfo<Request extends Asked>(requests: AsyncIterable<Request>) {
      for await (const request of requests) {
        yield {
          validHost: request.host,
          originalRequest: request,
          messageResponse: answer(request.messageRequest),
        }
      }
    },
  }
}

function indexDescriptors(services: readonly DescService[]) {
  const files = new Map<string, DescFile>()
  const fileBySymbol = new Map<string, DescFile>()
  const addMessage = (message: DescMessage) => {
    fileBySymbol.set(message.typeName, message.file)
    for (const field of message.fields) fileBySymbol.set(`${message.typeName}.${field.name}`, message.file)
    for (const nested of message.nestedEnums) fileBySymbol.set(nested.typeName, message.file)
    for (const nested of message.nestedMessages) addMessage(nested)
  }
  const addFile = (file: DescFile) => {
    if (files.has(file.proto.name)) return
    files.set(file.proto.name, file)
    for (const dependency of file.dependencies) addFile(dependency)
    for (const message of file.messages) addMessage(message)
    for (const enumeration of file.enums) fileBySymbol.set(enumeration.typeName, file)
    for (const service of file.services) {
      fileBySymbol.set(service.typeName, file)
      for (const method of service.methods) fileBySymbol.set(`${service.typeName}.${method.name}`, file)
    }
  }
  for (const service of services) addFile(service.file)
  return { files, fileBySymbol }
}

function fileAnswer(file: DescFile | undefined, wanted: string): Answer {
  if (file === undefined) return rejection(Code.NotFound, `${wanted} is unknown`)
  const withImports = new Set<DescFile>()
  const collect = (next: DescFile) => {
    if (withImports.has(next)) return
    withImports.add(next)
    for (const dependency of next.dependencies) collect(dependency)
  }
  collect(file)
  const fileDescriptorProto = [...withImports].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto))
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto } }
}

function rejection(code: Code, errorMessage: string): Answer {
  return { case: 'errorResponse', value: { errorCode: code, errorMessage } }
}
