import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type GatewayOptions, type RunningGateway, startGateway } from '../../src/gateway/start-gateway.ts';

export interface SdkBench {
  readonly gateway: RunningGateway;
  readonly openai: OpenAI;
  readonly anthropic: Anthropic;
  /** The clients with another key. */
  withKey(apiKey: string): { readonly openai: OpenAI; readonly anthropic: Anthropic };
  /** A call of the control API; throws unless it is answered with 2xx. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** A fast gateway and both official clients, which never send a call twice. */
export async function startBench(options: Partial<GatewayOptions> = {}): Promise<SdkBench> {
  const gateway = await startGateway({ port: 0, seed: 7, latency: 'fast', ...options });
  const { base_url, api_key, control_url, control_token } = gateway.ready;
  const withKey = (apiKey: string) => ({
    openai: new OpenAI({ apiKey, baseURL: `${base_url}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey, baseURL: base_url, maxRetries: 0 }),
  });
  const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(control_url + path, {
      method,
      headers: { authorization: `Bearer ${control_token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  return { gateway, ...withKey(api_key), withKey, control };
}
