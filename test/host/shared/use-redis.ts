import { afterAll, beforeAll, beforeEach } from "vitest";
import { haveRedis, type RedisServer, startRedis } from "../../setup/redis.ts";

/** One Redis for the tests of a file, empty before each; without the program there is none, and whoever needs it is skipped. */
export function useRedis(): RedisServer {
  const redis = {} as RedisServer;
  beforeAll(async () => {
    if (haveRedis) Object.assign(redis, await startRedis());
  });
  beforeEach(() => {
    if (haveRedis) redis.ask("FLUSHALL");
  });
  afterAll(async () => {
    if (haveRedis) await redis.stop();
  });
  return redis;
}
