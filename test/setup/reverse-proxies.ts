import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type RunningServer, startServer } from "./processes.ts";
import { findProgram } from "./servers.ts";

export const haveProxies = findProgram("haproxy") !== undefined && findProgram("nginx") !== undefined;

/** Real reverse proxies before `target` (host:port), as docs/hosting.md says: they pass Host on, add to X-Forwarded-For and keep connections. */
export const PROXIES: Readonly<Record<"haproxy" | "nginx", (target: string) => Promise<RunningServer>>> = {
  async haproxy(target) {
    const port = await freePort();
    const file = fileOf(
      "haproxy.cfg",
      `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
  option forwardfor
  http-reuse always
frontend front
  bind 127.0.0.1:${port}
  default_backend back
backend back
  server one ${target}
`,
    );
    return startServer(findProgram("haproxy")!, ["-db", "-f", file], { url: `http://127.0.0.1:${port}/healthz` });
  },
  async nginx(target) {
    const port = await freePort();
    const file = fileOf(
      "nginx.conf",
      `daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream vitrine { server ${target}; keepalive 8; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://vitrine;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_buffering off;
    }
  }
}
`,
    );
    const folder = join(file, "..");
    return startServer(findProgram("nginx")!, ["-p", folder, "-e", "stderr", "-c", file], {
      url: `http://127.0.0.1:${port}/healthz`,
    });
  },
};

function fileOf(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-proxy-")), name);
  writeFileSync(file, text);
  return file;
}
