/** In seconds, as the conventions of OpenTelemetry for MCP advise (`mcp.server.operation.duration`). */
export const CALL_SECONDS: readonly number[] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** In seconds, as those for HTTP advise (`http.client.request.duration`). */
export const REQUEST_SECONDS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];
