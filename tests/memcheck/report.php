<?php

/** Reads valgrind's report and lists what has a frame in ratelimit.so: report.php FILE. */

declare(strict_types=1);

$ours = 0;
$others = 0;
foreach (simplexml_load_file($argv[1])->error as $error) {
    $frames = [];
    $isOurs = false;
    foreach ($error->stack->frame as $frame) {
        $isOurs = $isOurs || str_contains((string) $frame->obj, 'ratelimit.so');
        $frames[] = sprintf('    %s (%s)', $frame->fn, basename((string) $frame->obj));
    }
    if ($isOurs) {
        $ours++;
        echo $error->kind, ': ', $error->what ?: $error->xwhat->text, "\n", implode("\n", $frames), "\n";
    } else {
        $others++;
    }
}
echo "memcheck: $ours errors or definite leaks in ratelimit.so; $others elsewhere\n";
exit($ours === 0 ? 0 : 1);
