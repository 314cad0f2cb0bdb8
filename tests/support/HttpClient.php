<?php

declare(strict_types=1);

namespace RedisRateLimit\Tests\Support;

/** Sends requests one by one or many at once. */
final class HttpClient
{
    /** @param array<string, string> $headers */
    public static function get(string $url, array $headers = []): HttpResponse
    {
        return self::burst([$url], 1, $headers)[0];
    }

    /**
     * All the URLs, $concurrency of them under way at any time; the answers come in the order of the URLs.
     *
     * @param list<string>          $urls
     * @param array<string, string> $headers
     * @return list<HttpResponse>
     */
    public static function burst(array $urls, int $concurrency = 16, array $headers = []): array
    {
        $multi = curl_multi_init();
        $answers = [];
        $next = 0;
        do {
            while ($next < count($urls) && $next - count($answers) < $concurrency) {
                curl_multi_add_handle($multi, self::request($next, $urls[$next], $headers));
                $next++;
            }
            curl_multi_exec($multi, $running);
            while ($done = curl_multi_info_read($multi)) {
                $answers[(int) curl_getinfo($done['handle'], CURLINFO_PRIVATE)] = self::response($done['handle'], $done['result']);
                curl_multi_remove_handle($multi, $done['handle']);
            }
            if ($running > 0) {
                curl_multi_select($multi, 0.1);
            }
        } while (count($answers) < count($urls));
        ksort($answers);

        return $answers;
    }

    /** @param array<string, string> $headers */
    private static function request(int $number, string $url, array $headers): \CurlHandle
    {
        $request = curl_init($url);
        $lines = array_map(static fn (string $name, string $value) => "$name: $value", array_keys($headers), $headers);
        curl_setopt_array($request, [
            CURLOPT_RETURNTRANSFER => true, CURLOPT_HEADER => true, CURLOPT_HTTPHEADER => $lines, CURLOPT_TIMEOUT => 30,
            CURLOPT_PROXY => '', CURLOPT_PRIVATE => (string) $number,
        ]);

        return $request;
    }

    private static function response(\CurlHandle $request, int $result): HttpResponse
    {
        if ($result !== CURLE_OK) {
            throw new \RuntimeException(curl_getinfo($request, CURLINFO_EFFECTIVE_URL) . ': ' . curl_strerror($result));
        }
        $text = curl_multi_getcontent($request);
        $length = curl_getinfo($request, CURLINFO_HEADER_SIZE);

        return new HttpResponse(curl_getinfo($request, CURLINFO_RESPONSE_CODE), substr($text, 0, $length), substr($text, $length));
    }
}
