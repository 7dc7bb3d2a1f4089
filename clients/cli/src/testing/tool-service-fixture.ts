import type { ServiceImpl } from '@connectrpc/connect'
import type { ToolService } from '@wadi/protocol/gen/wadi/api_gateway/v1/tool_service_pb.ts'

/** The answers of a test about versions of tools; empty answers for the rest. */
export type ToolAnswers = Partial<ServiceImpl<typeof ToolService>>

/** The service that gives the answers of the moment. */
export function toolService(answers: () => ToolAnswers): ServiceImpl<typeof ToolService> {
  return {
    listTools: (request, call) => answers().listTools?.(request, call) ?? {},
    addTool: (request, call) => answers().addTool?.(request, call) ?? {},
    removeTool: (request, call) => answers().removeTool?.(request, call) ?? {},
    verifyTools: (request, call) => answers().verifyTools?.(request, call) ?? {},
  }
}
