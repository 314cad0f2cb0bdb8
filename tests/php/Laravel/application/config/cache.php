<?php

return [
    'default' => 'array',
    'prefix' => '',
    'stores' => ['array' => ['driver' => 'array'], 'redis' => ['driver' => 'redis', 'connection' => 'default']],
];
