<?php

declare(strict_types=1);

use Larder\Bench\Workload\Eav\CustomerQuery;

// B11: queries of a shop whose attributes are rows.

$stores = 'eav-array eav-sql eav-sql-ids eav-rows eav-results';
$full = [['page' => 0, 'workers' => 1], ['page' => 50, 'workers' => [1, 2]]];

return [
    'eav_addresses' => [
        'B11 default addresses', 'the default addresses of a stretch of customers, out of an EAV shop', 'queries',
        new CustomerQuery(false), $stores, $full,
    ],
    'eav_zip_codes' => [
        'B11 zip codes of the default addresses', 'the same with both zip codes', 'queries', new CustomerQuery(true),
        $stores, $full,
    ],
];
