<?php

/** The process behind Load: URL, seconds and number of clients are its arguments. A line per answer. */

declare(strict_types=1);

const WRITTEN_AT_ONCE = 1 << 20;

[, $url, $seconds, $clients] = $argv;
$end = microtime(true) + (float) $seconds;
$multi = curl_multi_init();
$send = static function () use ($multi, $url): void {
    $request = curl_init($url);
    curl_setopt_array($request, [CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 30, CURLOPT_PROXY => '']);
    curl_multi_add_handle($multi, $request);
};
for ($client = 0; $client < (int) $clients; $client++) {
    $send();
}
$lines = '';
do {
    curl_multi_exec($multi, $running);
    while ($done = curl_multi_info_read($multi)) {
        $request = $done['handle'];
        $status = $done['result'] === CURLE_OK ? curl_getinfo($request, CURLINFO_RESPONSE_CODE) : 0;
        $body = strtr((string) curl_multi_getcontent($request), "\r\n", '  ');
        $lines .= sprintf("%.6f\t%.6f\t%d\t%s\n", microtime(true), curl_getinfo($request, CURLINFO_TOTAL_TIME), $status, $body);
        curl_multi_remove_handle($multi, $request);
        if (strlen($lines) > WRITTEN_AT_ONCE) {
            echo $lines;
            $lines = '';
        }
        if (microtime(true) < $end) {
            $send();
            $running++;
        }
    }
    if ($running > 0) {
        curl_multi_select($multi, 0.1);
    }
} while ($running > 0);
echo $lines;
