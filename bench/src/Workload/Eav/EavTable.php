<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Test;

/** B11: queries of a shop whose attributes are rows. */
final readonly class EavTable
{
    /** @return list<Test> */
    public static function tests(): array
    {
        $stores = ['eav-array', 'eav-sql', 'eav-sql-ids', 'eav-rows', 'eav-results'];

        return [
            new Test(
                'eav_addresses',
                title: 'B11 default addresses',
                work: 'the default addresses of a stretch of customers, out of an EAV shop',
                unit: 'queries',
                workload: new InProcess(new CustomerQuery(false)),
                subjects: $stores,
                full: [['page' => 0, 'workers' => 1], ...Test::each('workers', [1, 2], ['page' => 50])],
            ),
            new Test(
                'eav_zip_codes',
                title: 'B11 zip codes of the default addresses',
                work: 'the same with both zip codes',
                unit: 'queries',
                workload: new InProcess(new CustomerQuery(true)),
                subjects: $stores,
                full: [['page' => 0, 'workers' => 1], ...Test::each('workers', [1, 2], ['page' => 50])],
            ),
        ];
    }
}
