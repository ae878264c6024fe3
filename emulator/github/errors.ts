import { type EmulatedResponse, json } from '../http.ts'
import type { Schemas } from './samples.ts'

const DOCUMENTATION = 'https://docs.github.com/rest'

/** An error answer in GitHub's words. */
export class ApiError extends Error {
  readonly response: EmulatedResponse

  constructor(
    status: number,
    message: string,
    more: Omit<Schemas['validation-error'], 'message' | 'documentation_url'> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
    const body: Schemas['basic-error'] = {
      message,
      ...more,
      documentation_url: DOCUMENTATION,
      status: String(status),
    }
    this.response = json(status, body, headers)
  }
}

export const notFound = () => new ApiError(404, 'Not Found')
export const badCredentials = () => new ApiError(401, 'Bad credentials')
export const forbidden = () => new ApiError(403, 'Resource not accessible by integration')

export const issueDeleted = () => new ApiError(410, 'This issue was deleted')

export const issuesDisabled = () => new ApiError(410, 'Issues has been disabled in this repository.')

export const invalid = (resource: string, field: string, message: string) =>
  new ApiError(422, 'Validation Failed', { errors: [{ resource, code: 'unprocessable', field, message }] })
